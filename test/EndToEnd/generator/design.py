"""Which features stand in which program, so that every two of them meet.

Features are points of an affine plane of order 11, which has 121 of them, and
programs are its lines: each has up to 11 features, and of 132 programs in a row
that begin at a multiple of 132 exactly one has any two features. In the next 132
the features stand at other points, so that other ones meet those two.
"""

import random

ORDER = 11
#: Programs in which every two features meet once.
ROUND = ORDER * (ORDER + 1)


def line(number):
    """The points (numbers below 121) of a line."""
    slope, offset = divmod(number, ORDER)
    if slope == ORDER:
        return [offset * ORDER + y for y in range(ORDER)]
    return [x * ORDER + (slope * x + offset) % ORDER for x in range(ORDER)]


def features(seed, all_features):
    """Those of the program of a seed."""
    assert len(all_features) <= ORDER * ORDER, "take the next prime as the order"
    turn, number = divmod(seed, ROUND)
    points = list(range(ORDER * ORDER))
    random.Random(turn).shuffle(points)
    chosen = [points[point] for point in line(number)]
    return [all_features[k] for k in chosen if k < len(all_features)]
