# SPDX-FileCopyrightText: 2026 The tern authors
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The page of the pictures that the demos and lessons left in build/, with the commands that make them."""

HEAD = """# Pictures

For those who want to see what networks have learned. Each command trains a network on two cores in less than five minutes, and
leaves its pictures in `build/`. `./dev docs` shows those that are there.
"""

# (command, what its picture shows, the name of its files in build/)
PICTURES = (
    ("./dev demo galaxies", "Stamps of galaxies that were held out, and below their reconstructions.", "galaxies"),
    ("./dev zoo cookienetae --learn", "Counted electrons, the network's estimate, and the density.", "learn_cookienetae"),
    ("./dev zoo unet --learn", "A simulated sky, the galaxies that the network finds, and the true ones.", "learn_unet"),
    ("./dev zoo efficientnet_b0 --learn", "Digits that were held out; those read wrongly have a bright background.",
     "learn_efficientnet_b0"),
    ("./dev zoo vit_b16 --learn", "Digits that were held out; those read wrongly have a bright background.", "learn_vit_b16"),
    ("./dev zoo gan3d --learn", "Simulated and generated showers from the side, depth to the right, and their mean profiles.",
     "learn_gan3d"),
)


def page(root):
    parts = [HEAD]
    for command, what, name in PICTURES:
        files = [f"build/{name}.{kind}" for kind in ("png", "svg")]
        found = [f"![{what}](../{file})\n" for file in files if (root / file).exists()]
        parts += [f"## `{command}`\n", what + "\n", *(found or ["There is none yet: run the command, then `./dev docs`.\n"])]
    return "\n".join(parts)
