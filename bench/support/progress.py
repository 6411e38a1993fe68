# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Progress of a script on stderr: on a terminal one line, overwritten and erased at the end; elsewhere a line every five
seconds. progress.hpp is the same for programs."""
import sys
import time


class Progress:
    def __init__(self, program):
        self.program = program
        self.terminal = sys.stderr.isatty()
        self.shown = False
        self.next = time.monotonic() + (0 if self.terminal else 5)

    def __call__(self, text):
        """May be called often: most calls only look at the clock."""
        now = time.monotonic()
        if now < self.next:
            return
        self.next = now + (0.5 if self.terminal else 5)
        print(f'\r\033[K{self.program}: {text}' if self.terminal else f'{self.program}: {text}\n', end='', file=sys.stderr,
              flush=True)
        self.shown = self.terminal

    def erase(self):
        """Before something else is printed."""
        if self.shown:
            print('\r\033[K', end='', file=sys.stderr, flush=True)
        self.shown = False

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.erase()
