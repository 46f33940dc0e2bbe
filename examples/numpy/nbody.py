"""Bodies that attract each other."""
import sys
import numpy as np


def run(size=40, steps=5, dt=0.01):
    rng = np.random.default_rng(7)
    mass = rng.random(size) + 0.5
    place, speed = rng.random((3, size)), rng.random((3, size)) * 0.1
    for _ in range(steps):
        d = place[:, None, :] - place[:, :, None]
        r = np.sqrt(np.sum(d * d, axis=0)) + 0.01
        force = mass[:, None] * mass[None, :] / (r * r * r)
        np.fill_diagonal(force, 0.0)
        speed += dt * np.sum(force * d, axis=2) / mass
        place += dt * speed
    return place


if __name__ == "__main__":
    print(run(*map(int, sys.argv[1:])).sum())
