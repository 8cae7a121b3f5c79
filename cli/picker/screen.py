"""The picker on a terminal: keys in, the model painted anew after each of them and after what was found."""

from __future__ import annotations

import errno
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

from prompt_toolkit.application import Application
from prompt_toolkit.buffer import Buffer
from prompt_toolkit.data_structures import Size
from prompt_toolkit.input import Input
from prompt_toolkit.key_binding import KeyBindings, KeyPressEvent
from prompt_toolkit.keys import Keys
from prompt_toolkit.layout import BufferControl, FormattedTextControl, HSplit, Layout, VSplit, Window
from prompt_toolkit.output import ColorDepth, Output, create_output
from prompt_toolkit.styles import Style

from panscript.cli.picker import painting
from panscript.cli.picker.loading import Loader
from panscript.cli.picker.model import Model, Row
from panscript.schemas.terminal import one_line

__all__ = ["Screen"]

_PROMPT = "> "
_FRAME = 3
"""Lines that are always there: the header, the filter, the help."""
_AT_LEAST = 0.03
"""Seconds between two paintings."""
_ESCAPE = 0.1
"""Seconds after which Esc is the key itself, not the beginning of another one."""


class Screen:
    """One session chosen by a person, or none."""

    def __init__(
        self,
        loader: Loader,
        *,
        into: str,
        home: str,
        query: str = "",
        clock: Callable[[], int] = lambda: time.time_ns() // 1_000_000,
        keys: Input | None = None,
        output: Output | None = None,
    ) -> None:
        """`into` names the target agent, `home` is shown as `~`; `clock` gives milliseconds since 1970 UTC.

        Without `keys` and `output` it is the terminal on standard input and on standard error: standard output may
        well be a pipe.
        """
        self.loader = loader
        self.model = Model(loader.rows, query=one_line(query))
        self._into = into
        self._home = home
        self._clock = clock
        self._seen = -1
        self._filter = Buffer(multiline=False, on_text_changed=lambda buffer: self.model.type(buffer.text))
        self._filter.text = self.model.query
        self._filter.cursor_position = len(self._filter.text)
        self.application: Application[Row | None] = Application(
            layout=self._layout(),
            key_bindings=self._keys(),
            style=Style.from_dict(painting.STYLES),
            full_screen=True,
            min_redraw_interval=_AT_LEAST,
            input=keys,
            output=output if output is not None else create_output(stdout=sys.stderr),
            color_depth=ColorDepth.MONOCHROME if os.environ.get("NO_COLOR") else None,
        )
        self.application.ttimeoutlen = self.application.timeoutlen = _ESCAPE
        # Between a key and its answer only this must run, not the search.
        self.application.before_render += lambda _: self._refresh()

    def run(self) -> Row:
        """The session that was chosen. Raises `KeyboardInterrupt` when the person leaves without one.

        The terminal is as it was before, also when the program is told to end.
        """
        try:
            with _ended_by_signal(self.application):
                chosen = self.application.run(pre_run=self._begin)
        except (EOFError, OSError) as gone:
            if isinstance(gone, OSError) and gone.errno != errno.EIO:
                raise
            # The terminal is not there any more, and what waits to be shown on it must not be waited for.
            os.dup2(os.open(os.devnull, os.O_WRONLY), 2)
            raise KeyboardInterrupt from None
        finally:
            self.loader.stop()
        if chosen is None:
            raise KeyboardInterrupt
        return chosen

    def _begin(self) -> None:
        self.application.after_render += lambda _: self.loader.go_on(self.application.invalidate)

    @property
    def settled(self) -> bool:
        """Whether all that is known was painted, and nothing more is being looked for."""
        return self.loader.idle and self._seen == self.loader.version

    def _refresh(self) -> None:
        """Before each painting: what has become known, and what is wanted next."""
        if self.loader.failure is not None and not self.application.is_done:
            self.application.exit(exception=self.loader.failure)
        if self._seen != self.loader.version:
            self._seen = self.loader.version
            self.model.refresh()
        self.loader.want(self.model.window(self._height()))

    def _size(self) -> Size:
        return self.application.output.get_size()

    def _height(self) -> int:
        """Lines for rows."""
        lines = self._size().rows
        below = painting.preview_height(lines)
        return max(lines - _FRAME - (below + 1 if below else 0), 1)

    def _layout(self) -> Layout:
        filtering = VSplit(
            [
                Window(FormattedTextControl(_PROMPT), width=len(_PROMPT), height=1, style="class:key"),
                Window(BufferControl(self._filter), height=1),
            ]
        )
        return Layout(
            HSplit(
                [
                    _line(self._header),
                    filtering,
                    Window(FormattedTextControl(self._rows)),
                    Window(FormattedTextControl(self._preview), height=self._below, wrap_lines=False),
                    _line(lambda: painting.help_line(self._size().columns)),
                ]
            ),
            focused_element=self._filter,
        )

    def _header(self) -> painting.Line:
        loader = self.loader
        if not loader.found_all:
            status = f"looking: {len(loader.rows)}"
        elif loader.unread > 0:
            status = f"reading: {loader.unread} left"
        elif loader.problems:
            status = f"{len(loader.problems)} not readable"
        else:
            status = ""
        if self.model.view and not status:
            status = f"{self.model.index + 1}/{len(self.model.view)}"
        return painting.header(self.model, self._into, status, self._size().columns)

    def _rows(self) -> painting.Line:
        width = self._size().columns
        shown = self.model.window(self._height())
        if not shown:
            loading = not self.loader.found_all or self.loader.unread > 0
            return painting.nothing(self.model, loading=loading, width=width)
        return _joined(painting.rows(self.model, shown, width, self._clock(), self._home))

    def _below(self) -> int:
        height = painting.preview_height(self._size().rows)
        return height + 1 if height else 0

    def _preview(self) -> painting.Line:
        size = self._size()
        height = painting.preview_height(size.rows)
        if not height:
            return []
        rule: painting.Line = [("class:quiet", "─" * size.columns)]
        return _joined([rule, *painting.preview(self.model.selected, size.columns, height, self._home)])

    def _keys(self) -> KeyBindings:
        keys = KeyBindings()
        model = self.model

        def bind(*names: Keys | str) -> Callable[[Callable[[], Any]], None]:
            def bound(act: Callable[[], Any]) -> None:
                for name in names:
                    keys.add(name)(lambda _: act())

            return bound

        bind(Keys.Up, Keys.ControlP)(lambda: model.move(-1))
        bind(Keys.Down, Keys.ControlN)(lambda: model.move(1))
        bind(Keys.PageUp)(lambda: model.move(-self._height()))
        bind(Keys.PageDown)(lambda: model.move(self._height()))
        bind(Keys.Home)(lambda: model.go(0))
        bind(Keys.End)(lambda: model.go(len(model.view) - 1))
        bind(Keys.Tab)(model.toggle)
        bind(Keys.Enter)(self._choose)
        bind(Keys.Escape, Keys.ControlC, Keys.ControlD, Keys.SIGINT)(lambda: self._end(None))
        # With Alt a key begins like Esc; that is no wish to leave.
        keys.add(Keys.Escape, Keys.Any)(lambda _: None)
        keys.add(Keys.Escape, Keys.Escape)(lambda _: self._end(None))
        if hasattr(signal, "SIGTSTP"):
            bind(Keys.ControlZ)(self._suspend)

        @keys.add(Keys.BracketedPaste)
        def _(event: KeyPressEvent) -> None:
            self._filter.insert_text(one_line(event.data))

        return keys

    def _choose(self) -> None:
        if self.model.selected is not None:
            self._end(self.model.selected)

    def _suspend(self) -> None:
        self.application.suspend_to_background()

    def _end(self, chosen: Row | None) -> None:
        # Two keys may come at once.
        if not self.application.is_done:
            self.application.exit(result=chosen)


def _line(text: Callable[[], painting.Line]) -> Window:
    return Window(FormattedTextControl(text), height=1, wrap_lines=False)


def _joined(lines: list[painting.Line]) -> painting.Line:
    joined: painting.Line = []
    for number, line in enumerate(lines):
        joined += [("", "\n"), *line] if number else line
    return joined


@contextmanager
def _ended_by_signal(application: Application[Row | None]) -> Iterator[None]:
    """A request to end leaves the terminal as it was; the exit status is that of the signal."""

    def end(number: int, _frame: FrameType | None) -> None:
        def leave() -> None:
            if not application.is_done:
                application.exit(exception=SystemExit(128 + number))

        if not application.is_running or application.loop is None:
            raise SystemExit(128 + number)
        # The loop may be asleep.
        application.loop.call_soon_threadsafe(leave)

    names = [name for name in ("SIGTERM", "SIGHUP") if hasattr(signal, name)]
    before = {name: signal.signal(getattr(signal, name), end) for name in names}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(getattr(signal, name), handler)
