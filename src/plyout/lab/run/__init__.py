"""Many tasks, and who does them: threads of this process, or the machines of a cluster.

`work` says what a task is, `drive` hands tasks out and keeps their results, `local` and `on_ray` have the hands.
"""
