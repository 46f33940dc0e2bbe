"""Pictures of arrays, without anything but NumPy.

    python3 examples/picture.py ARRAY.npy PICTURE.png [LOW HIGH]
"""
import struct
import sys
import zlib

import numpy

#: Colours from low to high: deep blue, blue, white, orange, dark red.
_COLOURS = numpy.array([(16, 24, 80), (66, 133, 190), (245, 245, 245), (240, 140, 60),
                        (120, 10, 20)], float)


def save(path, array, low=None, high=None, zoom=1):
    """Saves a matrix as a PNG, its values from `low` to `high` as colours."""
    array = numpy.asarray(array, float)
    low = array.min() if low is None else low
    high = array.max() if high is None else high
    place = numpy.clip((array - low) / ((high - low) or 1.0), 0, 1) * (len(_COLOURS) - 1)
    under = numpy.minimum(place.astype(int), len(_COLOURS) - 2)
    part = (place - under)[..., None]
    pixels = (_COLOURS[under] * (1 - part) + _COLOURS[under + 1] * part).astype("u1")
    pixels = pixels.repeat(zoom, 0).repeat(zoom, 1)
    rows, columns = pixels.shape[:2]
    lines = b"".join(b"\0" + row.tobytes() for row in pixels)

    def chunk(name, data):
        return (struct.pack(">I", len(data)) + name + data
                + struct.pack(">I", zlib.crc32(name + data)))
    with open(path, "wb") as file:
        file.write(b"\x89PNG\r\n\x1a\n"
                   + chunk(b"IHDR", struct.pack(">IIBBBBB", columns, rows, 8, 2, 0, 0, 0))
                   + chunk(b"IDAT", zlib.compress(lines, 9)) + chunk(b"IEND", b""))


if __name__ == "__main__":
    if len(sys.argv) not in (3, 5):
        sys.exit(__doc__)
    save(sys.argv[2], numpy.load(sys.argv[1]), *map(float, sys.argv[3:]))
