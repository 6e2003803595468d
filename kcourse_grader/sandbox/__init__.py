"""The sandbox in which submissions run, and the self-test that proves it.

Inside are only copies of `sandbox.inside` and `kcourse.execution`, the packages, and the sheet's part of kcourse
(`box`). Three kinds of process run there:

- The *zygote* (`inside.worker`) imports the libraries once. It never reads a job; it only forks supervisors.
- A *supervisor* reads one job, forks runners and watches them. If a runner hangs, dies or sends an invalid message,
  it ends the runner and starts another one without the cells that were fatal.
- A *runner* gives up its privileges (`inside.harden`), executes the cells and calls each function in a fork.

No process that runs a submission's code has ever held another submission, or inputs of a function whose turn has not
come. The grader sends the cells first and then the inputs, one function at a time. The inputs go into memory that
supervisor and runner share, and this memory is emptied after each function.

Modules that a sheet refuses do not exist in its sandbox. If the next sheet needs other modules, another zygote is
started (`Sandbox.admit`). Results are JSON and ``.npy`` of limited size and are checked (`kcourse.execution.codec`).

Limits are CPU seconds, scaled up on a slow machine (`kcourse.base.timeouts`), with a limit on real time behind them
(`kcourse.execution.clock`). The kernel limits only single processes or all of a user's processes, so the supervisor
adds up the memory, threads and time of everything that a runner has started (`inside.processes`).
"""
