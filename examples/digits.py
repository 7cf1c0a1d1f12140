# %% [markdown]
# # Handwritten digits with manyboost
#
# 1,797 images of 8 × 8 pixels, ten classes. Open this file as a notebook (VS Code, and Jupyter with jupytext, know the
# cells), or run it:
#
#     python examples/digits.py [FOLDER FOR THE PLOTS]

# %%
import sys
from pathlib import Path

import matplotlib.pyplot as plt
import numpy as np
from sklearn.datasets import load_digits
from sklearn.metrics import ConfusionMatrixDisplay, log_loss
from sklearn.model_selection import train_test_split

from manyboost import AdaBoostClassifier, BoostClassifier, MCBoostClassifier

folder = Path(sys.argv[1] if len(sys.argv) > 1 else ".")
X, y = load_digits(return_X_y=True)
X_train, X_test, y_train, y_test = train_test_split(X, y, test_size=0.4, random_state=0, stratify=y)

# %% [markdown]
# ## One vector-valued tree per round serves all ten classes
#
# Rows to validate on decide when to stop; the best round is kept.

# %%
model = MCBoostClassifier(rounds=400, patience=30, valid=0.2).fit(X_train, y_train)
error = 1 - model.score(X_test, y_test)
loss = log_loss(y_test, model.predict_proba(X_test))
print(f"MCBoost: {model.n_iter_} rounds ({model.stop_}), test error {100 * error:.2f} %, log loss {loss:.3f}")

# %% [markdown]
# ## The algorithms of the literature, round by round
#
# Every booster keeps what each round did (`history_`), and answers as after any round (`staged_predict`).

# %%
boosters = {
    "mcboost": BoostClassifier("mcboost", rounds=100),
    "samme, stumps": AdaBoostClassifier(n_estimators=100),
    "mh, stumps": BoostClassifier("mh", rounds=100),
    "mh, Hamming trees": BoostClassifier("mh", learner="tree", leaves=16, answers="factored", rounds=100),
    "logitboost": BoostClassifier("logitboost", rounds=100),
}
figure, axes = plt.subplots(figsize=(7, 4))
for name, booster in boosters.items():
    booster.fit(X_train, y_train)
    errors = [1 - score for score in booster.staged_score(X_test, y_test)]
    axes.plot(range(1, len(errors) + 1), errors, label=name)
    print(f"{name}: test error {100 * errors[-1]:.2f} % after {booster.n_iter_} rounds")
axes.set(xlabel="rounds", ylabel="test error", yscale="log", title="Boosters on digits")
axes.legend()
figure.savefig(folder / "errors.png", dpi=100)

# %% [markdown]
# ## Where the model looks

# %%
figure, axes = plt.subplots(figsize=(4, 4))
image = axes.imshow(model.feature_importances_.reshape(8, 8), cmap="viridis")
figure.colorbar(image, label="share of all tests")
axes.set(title="Importance of pixels", xticks=[], yticks=[])
figure.savefig(folder / "importance.png", dpi=100)

# %% [markdown]
# ## When an eight must not be missed
#
# Costs of mistakes: a row for each true class, a column for each answer.

# %%
costs = 1 - np.eye(10)
costs[8] *= 20
careful = MCBoostClassifier(rounds=model.n_iter_, costs=costs).fit(X_train, y_train)
for name, answers in (("all alike", model.predict(X_test)), ("eights dear", careful.predict_cheapest(X_test))):
    eights, cost = answers[y_test == 8], costs[y_test, answers].mean()
    print(f"{name}: {(eights != 8).sum()} of {len(eights)} eights missed, mean cost {cost:.3f}")
display = ConfusionMatrixDisplay.from_predictions(y_test, careful.predict_cheapest(X_test), colorbar=False)
display.figure_.savefig(folder / "classes.png", dpi=100)

# %% [markdown]
# ## The same model on the command line
#
#     manyboost inspect digits.model

# %%
careful.save(folder / "digits.model")
