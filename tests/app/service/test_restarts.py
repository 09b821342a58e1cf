"""How often the service is started again."""

from app.service.process import RestartPolicy


def test_restarts_pause_longer_each_time_and_five_a_minute_are_enough() -> None:
    now = 0.0
    plan = RestartPolicy(clock=lambda: now)
    assert [plan.next_pause_s() for _ in range(6)] == [0.5, 1.0, 2.0, 4.0, 8.0, None]
    now = 61.0
    assert plan.next_pause_s() == 0.5
