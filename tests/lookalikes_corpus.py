# ruff: noqa: E501 (one text a line)
"""What fills ordinary sessions and is no secret: hashes, ids, images, and code and prose that speak of passwords.

Everything random is made at run time from a fixed seed. The texts are of everyday work: code that handles a password
without holding one, documentation, translations, templates, logs.
"""

import base64
import random
import string
import uuid
from collections.abc import Callable

__all__ = ["look_alikes_blind"]

_HEX = "0123456789abcdef"
_ALNUM = string.ascii_letters + string.digits
_B64 = _ALNUM + "+/"

_CODE = r"""
password = request.form["password"]
password = request.form.get('password')
password = request.json.get("password", "")
password = data["password"]
password = input("Password: ")
password = getpass.getpass()
password = getpass.getpass("Enter password: ")
password = getpass("Password for user1: ")
password = config.get("db", "password")
password = settings.DB_PASSWORD
password = args.password
password = args.password or os.environ.get("DB_PASSWORD")
password = os.environ["DB_PASSWORD"]
password = os.getenv("DB_PASSWORD", "")
password = self.cleaned_data['password1']
password = form.cleaned_data.get("password2")
password = secrets.token_urlsafe(32)
password = generate_password(length=16)
password = faker.internet.password()
password = user.password
password = None
password = ''
password=password
password=password,
password=args.password,
password=hashed_password,
password=db_password,
password=get_password_hash(password),
User.objects.create_user(username=username, password=password)
user = authenticate(username=username, password=raw_password)
connect(host=host, user=user, password=password, database=database)
if password == confirm:
if password == confirmPassword:
if password != password2:
if (password === confirmPassword) {
if (password.length < 8) {
if len(password) < 8:
assert password is not None
raise ValueError("password must not be empty")
throw new Error("Invalid password");
def check(password: str) -> bool:
def check(password: str, hashed: bytes) -> bool:
def login(username: str, password: str = "", *, token: str | None = None):
async def verify(token: Annotated[str, Depends(oauth2_scheme)]):
function login(username, password) {
function login(username: string, password: string): Promise<Token> {
const login = async ({ email, password }: LoginInput) => {
const { email, password } = req.body;
const { password, ...rest } = user;
const token = req.headers.authorization?.split(" ")[1];
const token = jwt.sign({ id: user.id }, process.env.JWT_SECRET);
const token = localStorage.getItem("token");
const token = await getToken();
const token = useToken();
const secret = process.env.SECRET;
const apiKey = process.env.OPENAI_API_KEY ?? "";
const apiKey = import.meta.env.VITE_API_KEY;
const password = watch("password");
const [password, setPassword] = useState("");
const [showPassword, setShowPassword] = useState(false);
const password = document.getElementById("password").value;
password: string;
password?: string;
password: String,
password: z.string().min(8),
password: Joi.string().required(),
password: { type: String, required: true },
password: { type: 'string', minLength: 8 },
password: yup.string().required('Password is required'),
password: bcrypt.hashSync(password, 10),
password: await hash(password, 12),
password: hashedPassword,
password: user.password,
password: passwordRef.current.value,
password: process.env.DB_PASSWORD,
password: config.password,
password: Optional[str] = None
password: SecretStr
password: str = Field(min_length=8)
password: str = Field(..., min_length=8, max_length=128)
password = models.CharField(max_length=128)
password = Column(String(128), nullable=False)
password_hash = db.Column(db.String(128))
token = models.CharField(max_length=64, unique=True)
secret: Buffer,
secret_key: str
token: string | null;
token: str
token?: string
token_count: 512
max_tokens: 4096
"max_tokens": 8192,
token_count = len(tokens)
tokens = tokenizer.encode(text)
tokens = tokenizer(text, return_tensors="pt")
num_tokens = sum(len(t) for t in tokens)
token = tokens[i]
token = next(self.tokens)
token = self.peek()
token.type == TokenType.IDENTIFIER
token = Token(TokenType.NUMBER, "42")
token = lexer.next_token()
case Token::Plus => "+"
Token::new(TokenKind::Ident, "x1")
let token = self.advance();
let token = parser.parse::<Token![,]>()?;
let key = map.keys().next().unwrap();
key = f"user:{user_id}"
key = "user:1234:profile"
key: value
key: "value"
cache_key = f"session:{session_id}"
sort_key = lambda item: item[1]
for key, value in items.items():
foreign_key = "user_id"
primaryKey: true,
key={item.id}
key={`row-${index}`}
keyPath: "id",
publicKey: "id",
apiKey: string,
apiKey: process.env.API_KEY,
api_key = settings.api_key
api_key: str = Field(default_factory=lambda: os.environ["API_KEY"])
api_key=os.environ.get("ANTHROPIC_API_KEY"),
api_key=api_key,
self.api_key = api_key
self._token = token
private_key: ed25519.Ed25519PrivateKey,
:param Ed25519PrivateKey|Ed25519PublicKey key: to sign with
this.apiKey = apiKey;
this.password = options.password;
auth = (username, password)
auth: authReducer,
auth = HTTPBasicAuth(user, password)
auth: { user: process.env.USER, pass: process.env.PASS },
auth=self.auth
pass: process.env.SMTP_PASS,
pass  # nothing to do here
    pass
bypass = 1
compass: 270
passed: 12
passes: 3
passing: 412
passthrough: true
csrf_token
{% csrf_token %}
csrf_token = get_token(request)
<input type="hidden" name="csrf_token" value="{{ csrf_token() }}">
<input type="password" id="password" name="password" placeholder="Enter your password" />
<input type="password" name="password" required minlength="8">
<label for="password">Password</label>
<PasswordInput label="Password" value={password} onChange={setPassword} />
<TextField type="password" autoComplete="current-password" />
<button aria-label="Show password">
getByLabelText("Password")
screen.getByPlaceholderText("Password")
await page.fill('#password', password)
await page.fill('input[name="password"]', process.env.PASSWORD)
cy.get('#password').should('be.visible')
password_field = driver.find_element(By.ID, "password")
cy.get('#password').type(password)
req.SetBasicAuth(username, password)
requests.get(url, auth=(user, password))
requests.post(url, json={"username": username, "password": password})
headers = {"Authorization": f"Bearer {token}"}
headers: { Authorization: `Bearer ${token}` }
headers["Authorization"] = "Bearer " + token
"Authorization": "Bearer " + os.environ["TOKEN"],
req.Header.Set("Authorization", "Bearer "+token)
.header("Authorization", format!("Bearer {}", token))
Authorization: Bearer {{token}}
Authorization: Bearer YOUR_TOKEN_HERE
Authorization: Bearer <access_token>
Authorization: Basic {credentials}
import { AuthToken, SecretManager } from "./auth";
from auth.token import TokenBackend2
import tokenize
class PasswordResetTokenGenerator2:
class TokenAuthentication(BaseAuthentication):
type Credentials = { username: string; password: string };
interface Secret { name: string; value: string }
enum TokenType { ACCESS = "access", REFRESH = "refresh" }
#define PASSWORD_MAX_LENGTH 128
const PASSWORD_MIN_LENGTH = 8;
PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
AUTH_PASSWORD_VALIDATORS = [
AUTH_USER_MODEL = "accounts.User"
SECRET_KEY = os.environ["SECRET_KEY"]
SECRET_KEY = env("SECRET_KEY")
SECRET_KEY = config('SECRET_KEY', default='')
SECRET_KEY=${SECRET_KEY}
PASSWORD=$PASSWORD
PASSWORD="$PASSWORD"
PASSWORD="${DB_PASSWORD:-}"
PASSWORD="${1:?usage}"
PASSWORD=$(openssl rand -base64 24)
PASSWORD="$(pass show db/prod)"
PASSWORD=`cat /run/secrets/db`
export TOKEN=$(gh auth token)
export GITHUB_TOKEN="${GITHUB_TOKEN}"
TOKEN=$(curl -s https://id.example/token | jq -r .access_token)
POSTGRES_PASSWORD: ${POSTGRES_PASSWORD}
POSTGRES_PASSWORD: ${POSTGRES_PASSWORD:?set it}
POSTGRES_PASSWORD_FILE: /run/secrets/db_password
password: {{ .Values.db.password }}
password: {{ .Values.db.password | quote }}
password: !Ref DBPassword
password: !vault |
password: ${{ secrets.DOCKER_PASSWORD }}
token: ${{ secrets.GITHUB_TOKEN }}
GITHUB_TOKEN: ${{ secrets.GITHUB_TOKEN }}
NPM_TOKEN: ${{ secrets.NPM_TOKEN }}
echo "${{ secrets.GITHUB_TOKEN }}" | docker login ghcr.io -u ${{ github.actor }} --password-stdin
password = var.db_password
password = random_password.db.result
password = data.aws_secretsmanager_secret_version.db.secret_string
secret_name = "prod/db"
secretName: my-secret
secretName: tls-secret-2024
secretKeyRef:
        key: password
          name: db-credentials
valueFrom: {secretKeyRef: {name: db, key: password}}
imagePullSecrets:
serviceAccountToken:
automountServiceAccountToken: false
name: my-secret
existingSecret: postgres-secret
tokenSecret: ""
variable "db_password" {
output "token" {
--password-file /run/secrets/pw
--password "$DB_PASSWORD"
--password=$DB_PASSWORD
--token "$TOKEN"
--token=${TOKEN}
-p 8080:80
-p 5432
docker run -p 127.0.0.1:8080:80 -e POSTGRES_PASSWORD nginx
docker run -e PASSWORD=$PASSWORD nginx
mkdir -p src/password2
mysql -u root -p
psql -h localhost -p 5432 -U app
ssh -p 2222 ann@host
ssh -i ~/.ssh/id_rsa ann@host
git commit -m "fix: password reset token expiry (#1234)"
git log --grep=password
grep -rn "password" src/
grep -rn "api_key=" src | head -20
rg -n 'password|secret|token' --glob '!*.lock'
sed -i 's/password=.*/password=REDACTED/' x
SELECT id, email, password FROM users WHERE email = $1;
UPDATE users SET password = ? WHERE id = ?;
UPDATE users SET password = :password WHERE id = :id
INSERT INTO users (email, password) VALUES (?, ?)
INSERT INTO users (email, password) VALUES ($1, $2)
INSERT INTO tokens (id, user_id) VALUES (1, 'abc123');
ALTER TABLE users ADD COLUMN password VARCHAR(255) NOT NULL;
password VARCHAR(255) NOT NULL,
CREATE USER app WITH PASSWORD :'pw';
password text not null,
token uuid primary key default gen_random_uuid(),
t.string "password_digest"
validates :password, length: { minimum: 8 }
has_secure_password
attr_accessor :password, :password_confirmation
params.require(:user).permit(:email, :password, :password_confirmation)
private String password;
public void setPassword(String password) { this.password = password; }
return this.password;
@Value("${spring.datasource.password}")
String token = request.getHeader("X-Auth-Token");
String password = System.getenv("DB_PASSWORD");
String password = new String(console.readPassword());
password := os.Getenv("DB_PASSWORD")
token := r.Header.Get("Authorization")
token, err := jwt.Parse(raw, keyFunc)
token := strings.TrimPrefix(header, "Bearer ")
Password string `json:"password"`
APIKey   string `yaml:"api_key"`
Token string `json:"token,omitempty"`
$password = $_POST['password'];
$password = password_hash($_POST['password'], PASSWORD_DEFAULT);
$token = bin2hex(random_bytes(32));
'password' => 'required|string|min:8|confirmed',
'password' => Hash::make($request->password),
'password' => env('DB_PASSWORD', ''),
"password": {"type": "string", "format": "password"},
"password": {"$ref": "#/definitions/Password"}
"token_type": "bearer"
"token_type": "Bearer", "expires_in": 3600
"required": ["username", "password"]
"scripts": {"test:auth": "vitest run auth"}
"secret": true
"secrets": []
"tokens": {"input": 1200, "output": 340}
"usage": {"input_tokens": 1523, "output_tokens": 88, "total_tokens": 1611}
"password": true
"password": ""
"password": "***"
"password": "[hidden]"
"password": "string"
"api_key": "sk-..."
"api_key": "<your api key>"
OPENAI_API_KEY=sk-...
OPENAI_API_KEY=your_api_key_here
OPENAI_API_KEY=
ANTHROPIC_API_KEY=sk-ant-xxxxx
API_KEY=xxx
API_KEY="YOUR_API_KEY"
STRIPE_KEY=sk_test_...
DB_PASSWORD=<password>
DB_PASSWORD=changeme
DATABASE_URL=postgres://user:password@localhost:5432/db
DATABASE_URL=postgres://$USER:$PASSWORD@localhost:5432/db
DATABASE_URL=sqlite:///db.sqlite3
https://user:pass@example.com
git remote set-url origin https://${TOKEN}@github.com/acme/app.git
auth_token_expiry = 3600
TOKEN_EXPIRY=3600
ACCESS_TOKEN_EXPIRE_MINUTES=30
PASSWORD_RESET_TIMEOUT=86400
tokenizer_name = "bert-base-uncased"
"tokenizer_class": "LlamaTokenizer2"
"bos_token": "<s>", "eos_token": "</s>"
pad_token_id=50256
tokenizer.pad_token = tokenizer.eos_token
sessionToken?: never
password: never
token: Token2
Secret<T>
x-api-key header is missing
the X-Api-Key header
--header "X-Api-Key: $API_KEY"
-H "Authorization: Bearer $(cat token)"
curl -u $USER:$PASS https://x.example
curl -u "${USER}:${PASS}" https://x.example
auth/password.ts:12:5 - error TS2322: Type 'string' is not assignable
src/auth/token.py:42: AssertionError
tests/test_password.py::test_password_reset[case1] PASSED
test_api_key=test
FAILED tests/test_token.py::test_refresh_token - assert 401 == 200
modified:   src/auth/password.ts
create mode 100644 src/token/secret2.rs
password.go:17:2: imported and not used
+++ b/app/password_reset.py
diff --git a/secret.py b/secret.py
@@ -12,7 +12,7 @@ def check_password(password):
-    password = data.get("pwd")
+    password: str = data["password"]
"""

_PROSE = r"""
enter your password
Enter your password:
Please enter a new password.
Password:
Password:
Password for ann:
[sudo] password for ann:
Enter passphrase for key '/home/ann/.ssh/id_ed25519':
password: required
Password: required, at least 8 characters
The password must be at least 8 characters long.
The password is stored as a bcrypt hash.
The password is incorrect.
The password was wrong
The password is hashed with argon2id before it is stored.
Your password has been reset.
Your password is about to expire
Passwords do not match
Forgot your password?
Reset password
Change password to something longer
the password to the vault is in 1Password
The token is read from the environment.
The token is 32 bytes long
The token is valid for 15 minutes
the token expires in 3600 seconds
the secret is mounted at /run/secrets
The API key is stored in `config.yaml`
the api key is missing
The key is to keep it simple
the key is user_id2
Set `OPENAI_API_KEY` in your environment
Set the `password` field to the value of `DB_PASSWORD`.
Use `--token` to pass a token, or `--password` to log in.
Pass `--password-stdin` to read it from standard input.
I'll add a `password` parameter to `connect()`.
The function takes a username and password and returns a token.
Add a user and password to the config.
username and password authentication failed for user "app"
FATAL: password authentication failed for user "postgres"
fe_sendauth: no password supplied
Access denied for user 'root'@'localhost' (using password: YES)
Access denied for user 'root'@'localhost' (using password: NO)
Login failed: invalid username or password
error: 401 Unauthorized: invalid api key
Invalid API key provided.
remote: Support for password authentication was removed on August 13, 2021.
"password": "Passwort"
"password": "Mot de passe"
"password": "Contraseña"
"password": "Пароль"
"password": "パスワード"
"password": "密码"
"password": "Wachtwoord"
"password": "Hasło"
"password": "Şifre"
"password": "Enter your password"
"passwordHint": "At least 8 characters"
"password": "Password", "username": "Username"
"enterPassword": "Please enter your password"
"resetPassword": "Reset your password"
"invalid_password": "The password you entered is wrong"
"password_required": "Password is required"
"password.min": "Use 8 or more characters"
"token": "Token"
"apiKey": "API key"
"secret": "Geheimnis"
password: Passwort
password: Mot de passe
  password: "Contraseña"
msgid "Password"
| Parameter | Type | Description |
| password | string | The password of the user |
| `password` | `string` | yes | Password of the database user |
| token | string | Access token |
| `api_key` | string | Your API key |
| password | yes | no |
| Password | Required |
| id | email | password | created_at |
| username | password |
|---|---|
| PASSWORD | unset |
| --password | password of the user |
| max_tokens | 4096 |
| secret | object | See above |
|  password  |  varchar(255)  |
 password   | character varying(255) |           | not null |
 token      | uuid                   |           | not null | gen_random_uuid()
 password_hash | text |
- **Password:** at least 8 characters
- **Token**: read from `~/.config/app/token`
- Password: see 1Password
- `password` - the password
- `token` (string, required)
* password: The password used for authentication
Credentials: ask Ann
Credentials are stored in the keychain
auth: enabled
auth: none
auth required
Auth: JWT
Authentication: Bearer
authorization: role-based
Basic authentication
bearer token
bearer tokens are used
basic auth with username and password
PASS tests/auth.test.ts
PASS  src/components/Password2.test.tsx (5.123 s)
--- PASS: TestPasswordReset1 (0.00s)
ok 12 - password is hashed
pass: 42
pass 42
fail 0
Tests: 12 passed, 12 total
secret santa 2024
the secret of success
What is the secret?
a secret: nobody knows
key: 1
Key: Escape
key=Enter
Key points:
Key takeaways: 3
Press any key:
primary key (id)
API key
API keys: 3
API key: not set
API key: none
API key: sk-...
Token: none
Token: (none)
Token usage: 1234
Token usage: total=15,203 input=12,001 (+ 8,192 cached) output=3,202
token budget: 200000
Tokens: 12.3k
tokens/s: 42.1
context_tokens: 128000
Your API key is:
Your API key is not valid
Your password is too short
The password is "password"
My password is not working
the password is empty
the password is optional
password is a required field
is the password correct?
secret is required
token is undefined
token is null
Use the password you set earlier
To generate valid dates, pass `dtype="datetime64[ns]"`
Pass `--default-timeout=1000` or more
the AUTH command is not supported by version 2
Maximum number of AUTH challenges sent
use password as the name
use a strong password
use your username as the password
log in with your username and password
log in with username and password below
login with user and password
a temporary password is generated for each user
a temporary password is emailed to ann@example.com
set the password to a random value
set the password to null
set password to the new value
changed the password to be optional
changed password to passphrase
Session cookie: HttpOnly
Cookie: name=value
Set-Cookie: name=value; Path=/
set-cookie: theme=dark; Path=/
cookie: {}
Password strength: strong
Password policy: 12 characters
Password length: 16
password_policy: strong
Password Manager
passwordless
keyboard: us
keystore: /etc/app/keystore.jks
keyring
monkey: see
turkey=bird1
hotkey: ctrl+k
author: ann
authority: x
authenticate
secretary: Bob42
tokenization: wordpiece
passage: 12
passenger: Ann12
passport: 123
"""


def look_alikes_blind() -> list[tuple[str, str]]:
    """(class, text): at least 800, none of them with a secret; all but `text` are never to be touched."""
    rng = random.Random(77)
    made: list[tuple[str, str]] = []

    def hexes(count: int) -> str:
        return "".join(rng.choice(_HEX) for _ in range(count))

    def some(characters: str, count: int) -> str:
        return "".join(rng.choice(characters) for _ in range(count))

    def b64(count: int) -> str:
        return base64.b64encode(rng.randbytes(count)).decode()

    def uid() -> str:
        return str(uuid.UUID(int=rng.getrandbits(128), version=4))

    forms: list[tuple[str, int, Callable[[], str]]] = [
        ("hash", 15, lambda: f"commit {hexes(40)}\nAuthor: Ann <ann@x.example>\nDate:   Fri Mar 20 09:00:00 2026 +0100\n\n    fix token refresh"),
        ("hash", 15, lambda: f"{hexes(7)} (HEAD -> main, origin/main) feat: password reset\n{hexes(7)} chore: rotate secret name"),
        ("hash", 10, lambda: f"index {hexes(7)}..{hexes(7)} 100644"),
        ("hash", 10, lambda: f'      "integrity": "sha512-{b64(64)}",\n      "dev": true'),
        ("hash", 10, lambda: f"  resolution: {{integrity: sha512-{b64(64)}}}"),
        ("hash", 5, lambda: f'integrity="sha384-{b64(48)}" crossorigin="anonymous"'),
        ("hash", 10, lambda: f"image: nginx@sha256:{hexes(64)}"),
        ("hash", 10, lambda: f"golang.org/x/crypto v0.21.0 h1:{b64(32)}"),
        ("hash", 10, lambda: f'checksum = "{hexes(64)}"'),
        ("hash", 5, lambda: f"    --hash=sha256:{hexes(64)} \\"),
        ("hash", 5, lambda: f'{{url = "https://files.example/x.whl", hash = "sha256:{hexes(64)}"}}'),
        ("hash", 5, lambda: f"{hexes(64)}  dist/app-1.2.3.tar.gz"),
        ("hash", 5, lambda: f"etag: \"{hexes(32)}\""),
        ("hash", 5, lambda: f"ETag: W/\"{some(_ALNUM, 27)}\""),
        ("hash", 5, lambda: f"main.{hexes(8)}.js  vendor.{hexes(20)}.css"),
        ("hash", 5, lambda: f"SHA256:{b64(32)[:43]} ann@laptop (ED25519)"),
        ("hash", 5, lambda: f"256 SHA256:{b64(32)[:43]} no comment (ED25519)"),
        ("hash", 5, lambda: f"# yarn lockfile v1\nresolved \"https://registry.example/x/-/x-1.0.0.tgz#{hexes(40)}\""),
        ("hash", 5, lambda: f"narHash = \"sha256-{b64(32)}\";"),
        ("hash", 5, lambda: f"Successfully built {hexes(12)}\nSuccessfully tagged app:latest"),
        ("hash", 5, lambda: f"CONTAINER ID   IMAGE\n{hexes(12)}   postgres:16"),
        ("hash", 5, lambda: f"revision: {hexes(40)}\nkey: linux-cargo-{hexes(64)}"),
        ("hash", 5, lambda: f"Cache restored from key: Linux-node-{hexes(64)}"),
        ("key", 5, lambda: f"ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{some(_B64, 43)} ann@laptop"),
        ("key", 5, lambda: f"ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABgQ{some(_B64, 350)} ann@laptop"),
        ("key", 5, lambda: f"github.com ecdsa-sha2-nistp256 AAAAE2VjZHNhLXNoYTItbmlzdHAyNTY{some(_B64, 90)}="),
        ("key", 5, lambda: "-----BEGIN CERTIFICATE-----\n" + "\n".join(some(_B64, 64) for _ in range(6)) + "\n-----END CERTIFICATE-----"),
        ("key", 5, lambda: "-----BEGIN PUBLIC KEY-----\n" + "\n".join(some(_B64, 64) for _ in range(3)) + "\n-----END PUBLIC KEY-----"),
        ("key", 3, lambda: f"PublicKey = {b64(32)}"),
        ("uuid", 20, lambda: f'"sessionId": "{uid()}", "parentUuid": "{uid()}"'),
        ("uuid", 10, lambda: f"tenant: {uid()}\nsubscription: {uid()}"),
        ("uuid", 5, lambda: f"/home/ann/.claude/projects/x/{uid()}.jsonl"),
        ("uuid", 5, lambda: f"session {uid()} started; token count 1523"),
        ("id", 10, lambda: f"toolu_01{some(_ALNUM, 22)}"),
        ("id", 10, lambda: f"call_{some(_ALNUM, 24)}"),
        ("id", 10, lambda: f"msg_01{some(_ALNUM, 22)} req_011{some(_ALNUM, 21)}"),
        ("id", 5, lambda: f"rs_0{hexes(48)} fc_0{hexes(48)} resp_0{hexes(48)}"),
        ("id", 5, lambda: f"cus_{some(_ALNUM, 14)} pi_3{some(_ALNUM, 23)} price_1{some(_ALNUM, 23)}"),
        ("id", 5, lambda: f"acct_1{some(_ALNUM, 15)} evt_1{some(_ALNUM, 23)}"),
        ("id", 5, lambda: f"arn:aws:iam::{some(string.digits, 12)}:role/deploy i-0{hexes(17)} vpc-0{hexes(17)}"),
        ("id", 5, lambda: f"01H{some(string.ascii_uppercase + string.digits, 23)}"),
        ("id", 5, lambda: f"trace_id={hexes(32)} span_id={hexes(16)} traceparent: 00-{hexes(32)}-{hexes(16)}-01"),
        ("id", 5, lambda: f"x-request-id: {hexes(32)}\ncf-ray: {hexes(16)}-FRA\nx-amz-id-2: {b64(48)}"),
        ("id", 5, lambda: f"pod/app-{hexes(9)}-{some(string.ascii_lowercase, 5)}   1/1   Running   0   4d"),
        ("id", 5, lambda: f"secret/app-token-{some(string.ascii_lowercase + string.digits, 5)}   kubernetes.io/service-account-token   3   12d"),
        ("id", 5, lambda: f"vercel deployment dpl_{some(_ALNUM, 28)} https://app-{some(string.ascii_lowercase + string.digits, 9)}-acme.vercel.app"),
        ("id", 5, lambda: f"https://www.youtube.com/watch?v={some(_ALNUM, 11)}"),
        ("id", 5, lambda: f"https://docs.google.com/document/d/{some(_ALNUM, 44)}/edit"),
        ("id", 5, lambda: f"https://www.figma.com/file/{some(_ALNUM, 22)}/App?node-id=12%3A345"),
        ("id", 5, lambda: f"private_key_id: {hexes(40)}"),
        ("id", 5, lambda: f'"access_key_id_suffix": "{some(string.ascii_uppercase, 4)}", "key_id": "{uid()}"'),
        ("image", 10, lambda: f"![x](data:image/png;base64,iVBORw0KGgo{b64(rng.randrange(300, 3000))})"),
        ("image", 10, lambda: f'{{"type":"image","source":{{"type":"base64","media_type":"image/jpeg","data":"/9j/4AAQSkZJRg{b64(rng.randrange(300, 3000))}"}}}}'),
        ("image", 5, lambda: f"src: url(data:font/woff2;base64,d09GMgAB{b64(800)}) format('woff2');"),
        ("image", 5, lambda: f"//# sourceMappingURL=data:application/json;charset=utf-8;base64,{b64(600)}"),
        ("signature", 15, lambda: f'{{"type":"thinking","thinking":"hm","signature":"Ev{b64(rng.randrange(200, 700))}"}}'),
        ("signature", 10, lambda: f'{{"type":"reasoning","encrypted_content":"gAAAAA{some(_ALNUM + "_-", 400)}"}}'),
        ("signature", 5, lambda: f"-----BEGIN PGP SIGNATURE-----\n\n{some(_B64, 64)}\n{some(_B64, 64)}\n-----END PGP SIGNATURE-----"),
        ("number", 10, lambda: f"input_tokens: {rng.randrange(10**5)}, output_tokens: {rng.randrange(10**4)}, cache_read_input_tokens={rng.randrange(10**6)}"),
        ("number", 5, lambda: f"tokens={rng.randrange(10**6)} token_limit={rng.randrange(10**6)} keys={rng.randrange(99)}"),
        ("minified", 10, lambda: f'!function(e,t){{var n={{key:"k{rng.randrange(99)}",token:t.token,password:e.password,auth:!0}};t.exports=n}}({{{rng.randrange(9)}:"{hexes(8)}"}});'),
        ("minified", 5, lambda: f'var a=r(4{rng.randrange(99)}),s=a.key||"_"+o,c=s.pass?function(){{return s.pass}}:null,u={{secret:c,apiKey:l.apiKey}};'),
        ("minified", 5, lambda: f"e.token=t,e.password=n.password,e.apiKey=r(\"{hexes(4)}\").apiKey;e.auth=Object(i.a)(o)"),
        ("minified", 5, lambda: f'const o="{some(_ALNUM, 6)}",p={{passwordInput:"Login_passwordInput__{some(_ALNUM, 5)}",tokenList:"x_{some(_ALNUM, 5)}"}};'),
        ("time", 5, lambda: f"token refreshed at 2026-03-20T09:{rng.randrange(10, 59)}:00Z; password changed 2026-03-{rng.randrange(10, 29)}"),
        ("time", 5, lambda: f"password_changed_at: 2026-03-{rng.randrange(10, 29)}T09:00:00.000Z"),
        ("hashed", 5, lambda: f"password_hash: $2b$12${some(_ALNUM + './', 53)}"),
    ]  # fmt: skip
    for label, count, make in forms:
        made.extend((label, make()) for _ in range(count))
    made += [("text", line) for line in (_CODE + _PROSE).split("\n") if line.strip()]
    return made
