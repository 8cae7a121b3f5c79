// Preloaded into every agent under test (`node --import`): a connection to anything but this machine fails at once,
// so a test can neither reach a vendor nor hang on one.
import { Socket } from "node:net";

const HERE = new Set(["localhost", "127.0.0.1", "::1", "[::1]"]);
const connect = Socket.prototype.connect;

Socket.prototype.connect = function (...args) {
  // net.connect() passes its normalised arguments as one array.
  const [first, second] = Array.isArray(args[0]) ? args[0] : args;
  const target = typeof first === "object" && first !== null ? first : { port: first, host: second };
  if (target.path === undefined && target.port !== undefined) {
    const host = typeof target.host === "string" ? target.host : "localhost";
    if (!HERE.has(host)) {
      // Not at once: a TLS caller still sets the socket up after connect() returns.
      process.nextTick(() => this.destroy(new Error(`${host} is not this machine: real agents are tested on the loopback`)));
      return this;
    }
  }
  return connect.apply(this, args);
};
