"""Each named slip of chapter 6b as a student would type it."""

from __future__ import annotations

import numpy as np

from tests.chapters.typed import Typed, typist

TYPED: Typed = {}
typed = typist(TYPED)


# 6b.1

typed("eps_insensitive", "not clipped")(lambda r, eps: abs(r) - eps)
typed("eps_insensitive", "squared")(lambda r, eps: np.maximum(abs(r) - eps, 0) ** 2)
typed("eps_insensitive", "one side")(lambda r, eps: np.maximum(r - eps, 0))
typed("eps_insensitive", "jump at ε")(lambda r, eps: np.where(abs(r) > eps, abs(r), 0))
typed("eps_insensitive", "signed")(lambda r, eps: np.sign(r) * np.maximum(abs(r) - eps, 0))
typed("eps_insensitive", "inside out")(lambda r, eps: np.maximum(eps - abs(r), 0))
typed("eps_insensitive", "ε added")(lambda r, eps: np.where(abs(r) > eps, abs(r) + eps, 0))
typed("eps_insensitive", "cut at ε")(lambda r, eps: np.minimum(abs(r), eps))
typed("eps_insensitive", "counted")(lambda r, eps: (abs(r) > eps).astype(float))
typed("eps_insensitive", "hinge at 1")(lambda r, eps: np.maximum(0, 1 - r))
typed("eps_insensitive", "squares compared")(lambda r, eps: np.maximum(r**2 - eps**2, 0))
typed("eps_insensitive", "squared outside")(lambda r, eps: np.where(abs(r) > eps, r**2, 0))
typed("eps_insensitive", "ε inside the absolute value")(lambda r, eps: abs(r - eps))
typed("eps_insensitive", "larger of |r| and ε")(lambda r, eps: np.maximum(abs(r), eps))
typed("eps_insensitive", "no tube")(lambda r, eps: np.sqrt(r**2))


@typed("eps_insensitive", "Huber's loss")
def huber(r, eps):
    out = []
    for each in r:
        out.append(each**2 / 2 if abs(each) <= eps else eps * abs(each) - eps**2 / 2)
    return np.array(out)


typed("eps_insensitive", "tube of width ε")(lambda r, eps: np.maximum(abs(r) - eps / 2, 0))


# 6b.3


def late(w, x, label):
    return label * (w @ x) < 1


@typed("pegasos", "step 1/t")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / t
        g = lam * w - y[i] * X[i] if late(w, X[i], y[i]) else lam * w
        w = w - eta * g
    return w


@typed("pegasos", "no λ")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w
        if hit:
            w = w + y[i] * X[i] / t
    return w


@typed("pegasos", "no shrink")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        if late(w, X[i], y[i]):
            w = w + y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "hit decided after the shrink")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        w = (1 - 1 / t) * w
        if y[i] * (w @ X[i]) < 1:
            w = w + y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "hits where y f ≥ 1")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) >= 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "t from 2")
def _(X, y, lam, order):
    w, t = np.zeros(X.shape[1]), 1
    for i in order:
        t += 1
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "hits are mistakes")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = y[i] * (w @ X[i]) <= 0
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "label missing in the update")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w
        if hit:
            w = w + X[i] / (lam * t)
    return w


@typed("pegasos", "label missing in the test")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = w @ X[i] < 1
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "mean over the way")
def _(X, y, lam, order):
    w, seen = np.zeros(X.shape[1]), []
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
        seen.append(w)
    return np.mean(seen, axis=0)


@typed("pegasos", "shrinks at hits alone")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        if late(w, X[i], y[i]):
            w = (1 - 1 / t) * w + y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "no shrink at hits")
def shrunk_or_pushed(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        if y[i] * X[i].dot(w) < 1:
            w = w + y[i] * X[i] / (lam * t)
        else:
            w = w * (1 - 1 / t)
    return w


@typed("pegasos", "order ignored")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t in range(1, len(order) + 1):
        i = (t - 1) % len(X)
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "each point once")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, (x, label) in enumerate(zip(X, y, strict=True), 1):
        hit = late(w, x, label)
        w = (1 - 1 / t) * w + hit * label * x / (lam * t)
    return w


@typed("pegasos", "up the slope")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w - hit * y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "λ in the shrinking twice")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - lam / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "constant step")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / lam
    return w


@typed("pegasos", "projected")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
        length, radius = np.linalg.norm(w), 1 / np.sqrt(lam)
        if length > radius:
            w = w * radius / length
    return w


@typed("pegasos", "shrinks by η")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        hit = late(w, X[i], y[i])
        w = (1 - eta) * w + hit * eta * y[i] * X[i]
    return w


@typed("pegasos", "shrinks by λ")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        eta = 1 / (lam * t)
        hit = late(w, X[i], y[i])
        w = (1 - lam) * w + hit * eta * y[i] * X[i]
    return w


@typed("pegasos", "what was added shrinks, too")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        if late(w, X[i], y[i]):
            w = w + y[i] * X[i] / (lam * t)
        w = (1 - 1 / t) * w
    return w


@typed("pegasos", "push divided by n")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (len(X) * lam * t)
    return w


@typed("pegasos", "λ and 1/λ exchanged")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w + hit * lam * y[i] * X[i] / t
    return w


@typed("pegasos", "starts at ones")
def _(X, y, lam, order):
    w = np.ones(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w + hit * y[i] * X[i] / (lam * t)
    return w


@typed("pegasos", "first point left out")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t in range(1, len(order)):
        x, label = X[order[t]], y[order[t]]
        w = (1 - 1 / t) * w + late(w, x, label) * label * x / (lam * t)
    return w


@typed("pegasos", "last point left out")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t in range(1, len(order)):
        x, label = X[order[t - 1]], y[order[t - 1]]
        w = (1 - 1 / t) * w + late(w, x, label) * label * x / (lam * t)
    return w


@typed("pegasos", "one step alone")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        hit = late(w, X[i], y[i])
        w = (1 - 1 / t) * w
        if hit:
            w = w + y[i] * X[i] / (lam * t)
        return w


@typed("pegasos", "shrinks by 2/t")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        g = 2 * lam * w - late(w, X[i], y[i]) * y[i] * X[i]
        w = w - g / (lam * t)
    return w


@typed("pegasos", "grows")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        w = w + (lam * w + late(w, X[i], y[i]) * y[i] * X[i]) / (lam * t)
    return w


@typed("pegasos", "step 1/(λ√t)")
def _(X, y, lam, order):
    w = np.zeros(X.shape[1])
    for t, i in enumerate(order, 1):
        g = lam * w - late(w, X[i], y[i]) * y[i] * X[i]
        w = w - g / (lam * t**0.5)
    return w


# 6b.2


def slopes(y, K, beta, eps, i, j):
    """The right slope of a rising i and a falling j."""
    g = y - K @ beta
    return g[i] - eps * (1 if beta[i] >= 0 else -1), g[j] - eps * (1 if beta[j] > 0 else -1)


def bend(K, i, j):
    return K[i, i] + K[j, j] - 2 * K[i, j]


def peak(slope, eta):
    """Where the parabola has its top; nowhere if it is a line."""
    return slope / eta if eta > 0 else np.inf


def room_up(b, C):
    return C - b if b >= 0 else -b


def room_down(b, C):
    return b + C if b <= 0 else b


def moved(beta, i, j, t):
    new = beta.copy()
    new[i] += t
    new[j] -= t
    return new


def clipped(K, beta, C, i, j, slope):
    """The right step for that slope."""
    return moved(beta, i, j, min(peak(slope, bend(K, i, j)), room_up(beta[i], C), room_down(beta[j], C)))


@typed("svr_pair", "ε forgotten")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta
    return clipped(K, beta, C, i, j, g[i] - g[j])


@typed("svr_pair", "sign of ε")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta
    rise = g[i] + eps if beta[i] >= 0 else g[i] - eps
    fall = g[j] + eps if beta[j] > 0 else g[j] - eps
    return clipped(K, beta, C, i, j, rise - fall)


@typed("svr_pair", "2ε whatever the signs")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta
    return clipped(K, beta, C, i, j, g[i] - g[j] - 2 * eps)


@typed("svr_pair", "sign of 0 taken for 0")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta - eps * np.sign(beta)
    return clipped(K, beta, C, i, j, g[i] - g[j])


@typed("svr_pair", "0 rises as if from below")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta - eps * np.where(beta > 0, 1, -1)
    return clipped(K, beta, C, i, j, g[i] - g[j])


@typed("svr_pair", "0 falls as if from above")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta - eps * np.where(beta >= 0, 1, -1)
    return clipped(K, beta, C, i, j, g[i] - g[j])


@typed("svr_pair", "sign of ε in rise")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta
    rise = g[i] + eps * np.where(beta[i] >= 0, 1, -1)
    return clipped(K, beta, C, i, j, rise - slopes(y, K, beta, eps, i, j)[1])


@typed("svr_pair", "sign of ε in fall")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta
    fall = g[j] + eps * np.where(beta[j] > 0, 1, -1)
    return clipped(K, beta, C, i, j, slopes(y, K, beta, eps, i, j)[0] - fall)


@typed("svr_pair", "β_i pays whatever its sign")
def _(K, y, beta, C, eps, i, j):
    rise = y[i] - K[i] @ beta - eps
    return clipped(K, beta, C, i, j, rise - slopes(y, K, beta, eps, i, j)[1])


@typed("svr_pair", "β_j gains whatever its sign")
def _(K, y, beta, C, eps, i, j):
    fall = y[j] - K[j] @ beta - eps
    return clipped(K, beta, C, i, j, slopes(y, K, beta, eps, i, j)[0] - fall)


@typed("svr_pair", "top passed")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    return moved(beta, i, j, min(room_up(beta[i], C), room_down(beta[j], C)))


@typed("svr_pair", "kinks passed")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    return moved(beta, i, j, min(peak(rise - fall, bend(K, i, j)), C - beta[i], beta[j] + C))


@typed("svr_pair", "kink of β_i passed")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    return moved(beta, i, j, min(peak(rise - fall, bend(K, i, j)), C - beta[i], room_down(beta[j], C)))


@typed("svr_pair", "kink of β_j passed")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    return moved(beta, i, j, min(peak(rise - fall, bend(K, i, j)), room_up(beta[i], C), beta[j] + C))


@typed("svr_pair", "on beyond the kink")
def _(K, y, beta, C, eps, i, j):
    beta = beta.copy()
    while True:
        rise, fall = slopes(y, K, beta, eps, i, j)
        t = min(peak(rise - fall, bend(K, i, j)), room_up(beta[i], C), room_down(beta[j], C))
        if rise - fall <= 1e-12 or t <= 0:
            return beta
        kink_i, kink_j = beta[i] == -t, beta[j] == t
        beta = moved(beta, i, j, t)
        beta[i], beta[j] = 0.0 if kink_i else beta[i], 0.0 if kink_j else beta[j]


@typed("svr_pair", "0 never left")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    up, down = C - beta[i] if beta[i] > 0 else -beta[i], C + beta[j] if beta[j] < 0 else beta[j]
    return moved(beta, i, j, min(peak(rise - fall, bend(K, i, j)), up, down))


@typed("svr_pair", "β_i never leaves 0")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    up, down = C - beta[i] if beta[i] > 0 else -beta[i], room_down(beta[j], C)
    return moved(beta, i, j, min(peak(rise - fall, bend(K, i, j)), up, down))


@typed("svr_pair", "β_j never leaves 0")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    up, down = room_up(beta[i], C), C + beta[j] if beta[j] < 0 else beta[j]
    return moved(beta, i, j, min(peak(rise - fall, bend(K, i, j)), up, down))


@typed("svr_pair", "ε once, whatever the signs")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta
    return clipped(K, beta, C, i, j, g[i] - g[j] - eps)


@typed("svr_pair", "walls passed")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    ends = [peak(rise - fall, bend(K, i, j))]
    if beta[i] < 0:
        ends.append(-beta[i])
    if beta[j] > 0:
        ends.append(beta[j])
    return moved(beta, i, j, min(ends))


@typed("svr_pair", "walls C away")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    up, down = -beta[i] if beta[i] < 0 else C, beta[j] if beta[j] > 0 else C
    return moved(beta, i, j, min(peak(rise - fall, bend(K, i, j)), up, down))


@typed("svr_pair", "room by size")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    rooms = [C - abs(b) for b in (beta[i], beta[j])]
    return moved(beta, i, j, min([peak(rise - fall, bend(K, i, j)), *rooms]))


@typed("svr_pair", "β_j not clipped")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    return moved(beta, i, j, min(peak(rise - fall, bend(K, i, j)), room_up(beta[i], C)))


@typed("svr_pair", "β_i not clipped")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    t = min(peak(rise - fall, bend(K, i, j)), room_down(beta[j], C))
    return moved(beta, i, j, t)


@typed("svr_pair", "box from 0")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    t = min(peak(rise - fall, bend(K, i, j)), C - beta[i], beta[j])
    return moved(beta, i, j, t)


@typed("svr_pair", "each clipped for itself")
def _(K, y, beta, C, eps, i, j):
    new, (rise, fall) = beta.copy(), slopes(y, K, beta, eps, i, j)
    t = peak(rise - fall, bend(K, i, j))
    new[i] = min(beta[i] + t, C if beta[i] >= 0 else 0)
    new[j] = max(beta[j] - t, -C if beta[j] <= 0 else 0)
    return new


def only_part_of(which):
    def step(K, y, beta, C, eps, i, j):
        rise, fall = slopes(y, K, beta, eps, i, j)
        new, right = beta.copy(), clipped(K, beta, C, i, j, rise - fall)
        t = right[i] - beta[i]
        new[i] += {"i": t, "j": 0, "both": t, "back": -t}[which]
        new[j] += {"i": 0, "j": -t, "both": t, "back": t}[which]
        return new

    return step


typed("svr_pair", "β_j left")(only_part_of("i"))
typed("svr_pair", "β_i left")(only_part_of("j"))
typed("svr_pair", "both raised")(only_part_of("both"))
typed("svr_pair", "the other way")(only_part_of("back"))


@typed("svr_pair", "i and j exchanged")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, j, i)
    return clipped(K, beta, C, j, i, rise - fall)


@typed("svr_pair", "gradient with the other sign")
def _(K, y, beta, C, eps, i, j):
    g = K @ beta - y
    rise = g[i] - eps * (1 if beta[i] >= 0 else -1)
    fall = g[j] - eps * (1 if beta[j] > 0 else -1)
    return clipped(K, beta, C, i, j, rise - fall)


@typed("svr_pair", "targets forgotten")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(0 * y, K, beta, eps, i, j)
    return clipped(K, beta, C, i, j, rise - fall)


@typed("svr_pair", "g of β = 0")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, 0 * K, beta, eps, i, j)
    return clipped(K, beta, C, i, j, rise - fall)


def with_the_bend(eta_of):
    def step(K, y, beta, C, eps, i, j):
        rise, fall = slopes(y, K, beta, eps, i, j)
        t = peak(rise - fall, eta_of(K[i, i], K[j, j], K[i, j]))
        return moved(beta, i, j, min(t, room_up(beta[i], C), room_down(beta[j], C)))

    return step


typed("svr_pair", "η with a plus")(with_the_bend(lambda ii, jj, ij: ii + jj + 2 * ij))
typed("svr_pair", "η with k_ij once")(with_the_bend(lambda ii, jj, ij: ii + jj - ij))
typed("svr_pair", "η without k_ij")(with_the_bend(lambda ii, jj, ij: ii + jj))
typed("svr_pair", "not divided by η")(with_the_bend(lambda ii, jj, ij: 1.0))
typed("svr_pair", "half a step")(with_the_bend(lambda ii, jj, ij: 2 * (ii + jj - 2 * ij)))


@typed("svr_pair", "not clipped")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    return moved(beta, i, j, peak(rise - fall, bend(K, i, j)))


@typed("svr_pair", "the change alone")
def _(K, y, beta, C, eps, i, j):
    rise, fall = slopes(y, K, beta, eps, i, j)
    return clipped(K, beta, C, i, j, rise - fall) - beta


@typed("svr_pair", "the classifier's step")
def _(K, y, beta, C, eps, i, j):
    g = y - K @ beta
    with np.errstate(divide="ignore"):
        t = (g[i] - g[j]) / bend(K, i, j)
    t = np.clip(t, max(-C - beta[i], beta[j] - C), min(C - beta[i], beta[j] + C))
    return moved(beta, i, j, t)


# 6b.4


def coefficients(memory, y):
    c = np.zeros(len(y))
    for j in memory:
        c[j] += y[j]
    return c


def says(memory, K, y, i):
    return sum(y[j] * K[j, i] for j in memory)


@typed("budget_perceptron", "never forgets")
def _(K, y, order, budget):
    memory = []
    for i in order:
        if y[i] * says(memory, K, y, i) <= 0:
            memory.append(i)
    return coefficients(memory, y)


@typed("budget_perceptron", "room for one more")
def _(K, y, order, budget):
    memory = []
    for i in order:
        if y[i] * says(memory, K, y, i) <= 0:
            if len(memory) > budget:
                memory.pop(0)
            memory.append(i)
    return coefficients(memory, y)


@typed("budget_perceptron", "room for one less")
def _(K, y, order, budget):
    memory = []
    for i in order:
        if y[i] * says(memory, K, y, i) <= 0:
            memory.append(i)
            if len(memory) >= budget:
                memory.pop(0)
    return coefficients(memory, y)


@typed("budget_perceptron", "full, and closed")
def _(K, y, order, budget):
    memory = []
    for i in order:
        if len(memory) < budget and y[i] * says(memory, K, y, i) <= 0:
            memory.append(i)
    return coefficients(memory, y)


@typed("budget_perceptron", "forgets the newest")
def _(K, y, order, budget):
    memory = []
    for i in order:
        if y[i] * says(memory, K, y, i) <= 0:
            if len(memory) == budget:
                memory.pop()
            memory.append(i)
    return coefficients(memory, y)


@typed("budget_perceptron", "emptied when full")
def _(K, y, order, budget):
    memory = []
    for i in order:
        if y[i] * says(memory, K, y, i) <= 0:
            if len(memory) == budget:
                memory = []
            memory.append(i)
    return coefficients(memory, y)


@typed("budget_perceptron", "forgets before it asks")
def _(K, y, order, budget):
    memory = []
    for i in order:
        if len(memory) == budget:
            memory.pop(0)
        if y[i] * says(memory, K, y, i) <= 0:
            memory.append(i)
    return coefficients(memory, y)


@typed("budget_perceptron", "all copies forgotten")
def _(K, y, order, budget):
    c, queue = np.zeros(len(y)), []
    for i in order:
        if y[i] * (c @ K[:, i]) <= 0:
            queue.append(i)
            c[i] += y[i]
        if len(queue) > budget:
            c[queue.pop(0)] = 0
    return c


@typed("budget_perceptron", "all entries of the oldest")
def _(K, y, order, budget):
    queue = []
    for i in order:
        f = sum(y[j] * K[i, j] for j in queue)
        if y[i] * f <= 0:
            queue.append(i)
        if len(queue) > budget:
            queue = [j for j in queue if j != queue[0]]
    c = np.zeros(len(y))
    for j in queue:
        c[j] += y[j]
    return c


@typed("budget_perceptron", "each remembered once")
def _(K, y, order, budget):
    memory = []
    for i in order:
        if i not in memory and y[i] * says(memory, K, y, i) <= 0:
            memory = [*memory, i][-budget:]
    return coefficients(memory, y)


@typed("budget_perceptron", "moved to the end")
def _(K, y, order, budget):
    memory = {}
    for i in order:
        if y[i] * says(list(memory), K, y, i) <= 0:
            memory.pop(i, None)
            memory[i] = True
            if len(memory) > budget:
                del memory[next(iter(memory))]
    return coefficients(list(memory), y)


@typed("budget_perceptron", "whoever is right")
def _(K, y, order, budget):
    memory = []
    for i in order:
        if y[i] * says(memory, K, y, i) >= 0:
            memory = [*memory, i][-budget:]
    return coefficients(memory, y)


@typed("budget_perceptron", "order ignored")
def _(K, y, order, budget):
    memory = []
    for t in range(len(order)):
        i = t % len(y)
        if y[i] * says(memory, K, y, i) <= 0:
            memory = [*memory, i][-budget:]
    return coefficients(memory, y)


@typed("budget_perceptron", "each point once")
def _(K, y, order, budget):
    memory = []
    for i in range(len(y)):
        if y[i] * says(memory, K, y, i) <= 0:
            memory = [*memory, i][-budget:]
    return coefficients(memory, y)


def remembered_where(enters, said=says, found=coefficients):
    def machine(K, y, order, budget):
        memory = []
        for i in order:
            if enters(y[i], said(memory, K, y, i)):
                memory = [*memory, i][-budget:]
        return found(memory, y)

    return machine


typed("budget_perceptron", "everybody remembered")(lambda K, y, order, budget: coefficients(order[-budget:], y))
typed("budget_perceptron", "memory stays empty")(remembered_where(lambda label, f: label * f > 0))
typed("budget_perceptron", "f = 0 taken for +1")(remembered_where(lambda label, f: label != (1 if f >= 0 else -1)))
typed("budget_perceptron", "f = 0 taken for -1")(remembered_where(lambda label, f: label != (1 if f > 0 else -1)))
typed("budget_perceptron", "hits for mistakes")(remembered_where(lambda label, f: 1 - label * f > 0))
typed("budget_perceptron", "label missing in the test")(remembered_where(lambda label, f: f <= 0))
typed("budget_perceptron", "labels missing in f")(
    remembered_where(lambda label, f: label * f <= 0, said=lambda memory, K, y, i: K[i][memory].sum() if memory else 0)
)
typed("budget_perceptron", "labels missing in c")(
    remembered_where(lambda label, f: label * f <= 0, found=lambda memory, y: np.bincount(memory, minlength=len(y)))
)
typed("budget_perceptron", "whether, not how often")(
    remembered_where(lambda label, f: label * f <= 0, found=lambda memory, y: np.isin(np.arange(len(y)), memory) * y)
)


# 6b.5


def unseen(F, y):
    """What each width's fit says of the points of the block that it was trained without, one block beside the next."""
    size = len(y) // F.shape[1]
    return np.hstack([F[:, b, b * size : (b + 1) * size] for b in range(F.shape[1])])


def per_block(F, y):
    return np.array([e.mean(axis=1) for e in np.split(np.abs(unseen(F, y) - y), F.shape[1], axis=1)]).T


def least(widths, errors):
    """Of equals the widest, as the sheet asks: who heeds that is to be told his slip as well."""
    return max(w for w, e in zip(widths, errors, strict=True) if e == min(errors))


@typed("choose_eps", "chosen in training")
def _(F, y, widths):
    errors = []
    for of_width in F:
        total = 0
        for b, said in enumerate(of_width):
            learnt = np.arange(len(y)) * len(of_width) // len(y) != b
            total += np.abs(y - said)[learnt].mean()
        errors.append(total)
    return least(widths, errors)


@typed("choose_eps", "mean of the choices")
def _(F, y, widths):
    return np.mean([widths[np.argmin(column)] for column in per_block(F, y).T])


@typed("choose_eps", "each block has a vote")
def _(F, y, widths):
    votes = [int(np.argmin(column)) for column in per_block(F, y).T]
    return widths[max(range(len(widths)), key=votes.count)]


@typed("choose_eps", "blocks that alternate")
def _(F, y, widths):
    k = F.shape[1]
    return least(widths, [sum(abs(y[i] - f[i % k, i]) for i in range(len(y))) for f in F])


for name, errors_of in {
    "all forecasts": lambda F, y, w: np.abs(F - y).sum(axis=2).sum(axis=1),
    "mean of the fits": lambda F, y, w: np.abs(F.mean(axis=1) - y).sum(axis=1),
    "first block alone": lambda F, y, w: np.abs(F[:, 0] - y)[:, : len(y) // F.shape[1]].sum(axis=1),
    "last block alone": lambda F, y, w: np.abs(F[:, -1] - y)[:, -(len(y) // F.shape[1]) :].sum(axis=1),
    "best block counts": lambda F, y, w: per_block(F, y).min(axis=1),
    "worst block counts": lambda F, y, w: per_block(F, y).max(axis=1),
    "by each tube's own loss": lambda F, y, w: np.maximum(np.abs(unseen(F, y) - y) - w[:, None], 0).sum(axis=1),
    "who is outside the own tube": lambda F, y, w: np.sum(np.abs(unseen(F, y) - y) > w[:, None], axis=1),
    "squared": lambda F, y, w: np.linalg.norm(unseen(F, y) - y, axis=1),
    "median": lambda F, y, w: np.median(np.abs(unseen(F, y) - y), axis=1),
    "largest error": lambda F, y, w: np.abs(unseen(F, y) - y).max(axis=1),
    "signs cancel": lambda F, y, w: np.abs(np.sum(unseen(F, y) - y, axis=1)),
    "no absolute value": lambda F, y, w: (y - unseen(F, y)).sum(axis=1),
    "the other sign, no absolute value": lambda F, y, w: (unseen(F, y) - y).sum(axis=1),
    "greatest error wins": lambda F, y, w: -np.abs(unseen(F, y) - y).sum(axis=1),
}.items():
    typed("choose_eps", name)(lambda F, y, widths, of=errors_of: least(widths, of(F, y, widths)))

typed("choose_eps", "widths sorted, errors not")(
    lambda F, y, widths: sorted(widths)[np.abs(unseen(F, y) - y).sum(axis=1).argmin()]
)
typed("choose_eps", "narrowest")(lambda F, y, widths: sorted(widths)[0])
typed("choose_eps", "widest")(lambda F, y, widths: sorted(widths)[-1])
typed("choose_eps", "its place in the list")(lambda F, y, widths: np.abs(unseen(F, y) - y).sum(axis=1).argmin())
typed("choose_eps", "its error")(lambda F, y, widths: np.abs(unseen(F, y) - y).mean(axis=1).min())
