"""The update: rates, the pull towards the slow policy, the brake, and that it learns."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from msgspec.structs import replace

from concilium.training.presets import Preset
from concilium.training.rollout import RolloutBuffer
from concilium.training.selfplay import Rates, SelfPlayPPO
from concilium.training.trainer import Annealing, Trainer

RATES = Rates(learning_rate=1e-2, clip=0.1, entropy=0.0)


def bandit(trainer: Trainer, rounds: int) -> np.ndarray:
    """Let it play one position again and again, where action 2 of three wins and others lose.

    Returns:
        Probabilities of the three actions at the end.
    """
    learner = trainer.learner
    game = trainer.collector.vec.game
    observations = np.zeros((256, game.observation.size), np.int8)
    masks = np.zeros((256, game.num_actions), np.int8)
    masks[:, :3] = 1
    state_vectors = np.zeros((256, 0), np.int8)
    generator = np.random.default_rng(0)
    rows = np.arange(256)
    for _ in range(rounds):
        samples = RolloutBuffer(256, 256, 1, game.observation.size, 0, game.num_actions)
        actions, values, log_probs = learner.decide(observations, masks, state_vectors, generator)
        samples.add(rows, 0 * rows, observations, state_vectors, masks, actions, values, log_probs)
        samples.close(rows, np.where(actions == 2, 1.0, -1.0)[:, np.newaxis])
        figures = learner.update(samples, RATES, generator)
        assert figures["gradient_steps"] == 4 * trainer.preset.epochs
    with torch.no_grad():
        logits, _ = learner.policy.judge(torch.from_numpy(observations[:1]), masks[:1])
    probabilities: np.ndarray = torch.softmax(logits, dim=1)[0, :3].numpy()
    assert probabilities.sum() == pytest.approx(1, abs=1e-6)
    return probabilities


def test_it_learns_what_wins_and_the_pull_holds_it_back(tiny: Preset) -> None:
    free = replace(tiny, magnet_coefficient=0.0, target_kl=10.0)
    learned = bandit(Trainer(free, 1), 30)
    assert learned[2] > 0.9
    # a slow policy that does not move, and a strong pull: it stays about where it began
    held = bandit(Trainer(replace(free, magnet_coefficient=100.0, magnet_rate=0.0), 1), 30)
    assert held[2] < 0.6
    # one that follows at once holds nothing back
    follows = bandit(Trainer(replace(free, magnet_coefficient=0.1, magnet_rate=1.0), 1), 30)
    assert follows[2] > 0.85


@pytest.mark.parametrize("pull", [0.0, 0.7])
def test_a_gradient_step_by_hand(tiny: Preset, pull: float) -> None:
    """The weights after one step are those of plain gradient descent on the loss written out."""
    preset = replace(
        tiny, magnet_coefficient=pull, value=0.25, minibatch=200, epochs=1, target_kl=1e9
    )
    rates = Rates(learning_rate=0.1, clip=0.1, entropy=0.03)
    trainer, mirror = Trainer(preset, 1), Trainer(preset, 1)
    trainer.collector.collect(trainer.learner)
    learner, policy = trainer.learner, mirror.learner.policy
    if learner.magnet is not None:  # make it differ from the policy
        with torch.no_grad():
            learner.magnet.action_net.weight.mul_(-100.0)
    minibatch = learner._lessons(trainer.collector.rollout)
    rows = torch.arange(150)
    minibatch = minibatch.part(rows)
    with torch.no_grad():
        minibatch.log_probs.add_(torch.linspace(-0.3, 0.3, 150))  # some ratios are cut

    logits, values = policy.judge(minibatch.observations, minibatch.masks)
    logs = logits - logits.exp().sum(dim=1, keepdim=True).log()
    chances = logs.exp()
    chosen = logs[rows, minibatch.actions]
    ratio = (chosen - minibatch.log_probs).exp()
    gain = (minibatch.advantages - minibatch.advantages.mean()) / minibatch.advantages.std()
    total = torch.zeros(())
    for k in range(150):
        cut = min(max(float(ratio[k].detach()), 0.9), 1.1)
        first, second = gain[k] * ratio[k], gain[k] * cut
        total = total - (first if bool(first <= second) else second) / 150
    assert int(((ratio - 1).abs() > 0.1).sum()) > 40
    total = total + 0.25 * ((values[:, 0] - minibatch.returns) ** 2).mean()
    total = total - 0.03 * -(chances * logs).sum(dim=1).mean()
    if minibatch.magnet is not None:
        assert learner.magnet is not None
        total = total + pull * (chances * (logs - minibatch.magnet)).sum(dim=1).mean()
    torch.autograd.backward(total)
    gradients = [weight.grad for weight in policy.parameters()]
    length = sum(float((g**2).sum()) for g in gradients if g is not None) ** 0.5
    scale = min(1.0, 0.5 / length)  # the largest step that is taken

    learner.policy.optimizer = torch.optim.SGD(learner.policy.parameters(), lr=0.1)
    before = [weight.detach().clone() for weight in learner.policy.parameters()]
    figures, calm = learner._gradient_step(minibatch, rates, False)
    assert calm
    assert figures[5] == pytest.approx(0, abs=1e-6) if pull == 0 else figures[5] > 1e-4
    for old, new, gradient in zip(before, learner.policy.parameters(), gradients, strict=True):
        step = 0 if gradient is None else 0.1 * scale * gradient
        assert torch.allclose(new, old - step, atol=1e-5)


def test_a_step_of_imitation_by_hand(tiny: Preset) -> None:
    preset = replace(tiny, value=0.25)
    trainer, mirror = Trainer(preset, 1), Trainer(preset, 1)
    trainer.collector.collect(trainer.learner, cloning=True)
    policy = mirror.learner.policy
    minibatch = trainer.learner._lessons(trainer.collector.rollout)
    logits, values = policy.judge(minibatch.observations, minibatch.masks)
    logs = logits - logits.exp().sum(dim=1, keepdim=True).log()
    own = logs[torch.arange(len(logs)), minibatch.actions]
    loss = -own.mean() + 0.25 * ((values[:, 0] - minibatch.returns) ** 2).mean()
    torch.autograd.backward(loss)
    gradients = [weight.grad for weight in policy.parameters()]
    length = sum(float((g**2).sum()) for g in gradients if g is not None) ** 0.5
    learner = trainer.learner
    learner.policy.optimizer = torch.optim.SGD(learner.policy.parameters(), lr=0.1)
    before = [weight.detach().clone() for weight in learner.policy.parameters()]
    learner._gradient_step(minibatch, RATES, True)
    for old, new, gradient in zip(before, learner.policy.parameters(), gradients, strict=True):
        step = 0 if gradient is None else 0.1 * min(1.0, 0.5 / length) * gradient
        assert torch.allclose(new, old - step, atol=1e-5)


def test_it_imitates_its_teacher_and_then_learns_by_itself(tiny: Preset) -> None:
    preset = replace(
        tiny, behaviour_cloning_fraction=0.8, budget=20_000, rollout_size=2000, num_envs=64,
        hidden=(64,),         learning_rate=3e-3, share_snapshots=0.0,
    )  # fmt: skip
    trainer = Trainer(preset, 1)
    lines = [trainer.update() for _ in range(8)]
    assert [line["behaviour_cloning"] for line in lines] == [True] * 8
    # at first next to nothing is known of what a steward does
    assert lines[0]["policy_loss"] > 0.7
    assert lines[-1]["policy_loss"] < 0.6 * lines[0]["policy_loss"]
    assert not trainer.update()["behaviour_cloning"]


def test_the_slow_policy_moves_by_its_speed(tiny: Preset) -> None:
    trainer = Trainer(replace(tiny, magnet_rate=0.25), 1)
    learner = trainer.learner
    assert learner.magnet is not None
    before = learner.magnet.action_net.weight.clone()
    trainer.update()
    expected = 0.75 * before + 0.25 * learner.policy.action_net.weight
    assert torch.allclose(learner.magnet.action_net.weight, expected, atol=1e-6)


def test_the_brake_ends_an_update(tiny: Preset) -> None:
    trainer = Trainer(
        replace(tiny, target_kl=1e-9, learning_rate=0.01, behaviour_cloning_fraction=0.0), 1
    )
    line = trainer.update()
    # the first step always happens, the next is measured to be too far
    assert line["gradient_steps"] == 2


def test_rates_go_in_straight_lines(tiny: Preset) -> None:
    trainer = Trainer(tiny, 1)
    trainer.annealing = Annealing(100)
    trainer.annealing.update(25)
    rates = trainer.rates()
    # three quarters are left: end + 0.75 (beginning - end)
    assert rates.learning_rate == pytest.approx(7.75e-4)
    assert rates.clip == pytest.approx(0.0875)
    assert rates.entropy == pytest.approx(0.0175)
    trainer.annealing.update(500)
    assert trainer.over
    assert trainer.rates().entropy == tiny.entropy_end


def test_time_anneals_too() -> None:
    annealing = Annealing(10**9, seconds=100.0, spent=40.0)
    annealing.update(0)
    assert annealing.left == pytest.approx(0.6, abs=0.01)
    assert annealing.elapsed == pytest.approx(40, abs=1)


def test_the_rate_reaches_the_optimiser(tiny: Preset) -> None:
    trainer = Trainer(replace(tiny, learning_rate=0.0, learning_rate_end=0.0), 1)
    before = {k: v.clone() for k, v in trainer.learner.policy.state_dict().items()}
    trainer.update()
    after = trainer.learner.policy.state_dict()
    assert all(torch.equal(before[name], after[name]) for name in before)


def test_weights_are_saved_and_restored_with_moments(tiny: Preset) -> None:
    first, second = Trainer(tiny, 1), Trainer(tiny, 2)
    first.update()
    second.learner.restore(first.learner.tensors())
    names = set(first.learner.tensors())
    assert {name.partition(".")[0] for name in names} == {"policy", "magnet", "optimizer"}
    for name, value in second.learner.tensors().items():
        assert torch.equal(value, first.learner.tensors()[name]), name


def test_stable_baselines_can_use_it(tiny: Preset) -> None:
    trainer = Trainer(tiny, 1)
    assert isinstance(trainer.learner, SelfPlayPPO)
    game = trainer.collector.vec.game
    masks = np.ones((5, game.num_actions), np.int8)
    observations = np.zeros((5, game.observation.size), np.int8)
    actions, _ = trainer.learner.predict(observations, action_masks=masks, deterministic=True)
    assert actions.shape == (5,)
