"""A hub for the course. Who may log in, and where servers run, says a file of your own that loads this one.

docs/hub.md says how it is used.
"""

import os
import sys
from pathlib import Path

c = get_config()  # noqa: F821  (JupyterHub gives it)

# servers on this machine find the programs of the hub's environment, however the hub was started
os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{os.environ.get('PATH', os.defpath)}"

c.Spawner.cmd = [str(Path(__file__).resolve().with_name("start"))]
c.Spawner.default_url = "/lab/tree/my_work/notebooks/00_start_here.ipynb"
c.Spawner.environment = {}  # your own file adds KCOURSE_COURSE or KCOURSE_REPOSITORY
c.JupyterHub.implicit_spawn_seconds = 0.5  # a link to a chapter starts the server, too, without a page that asks
c.Spawner.start_timeout = 180  # seconds: the first start of a whole class lays out everybody's copies

# a server that nobody has used for an hour is stopped; what was saved stays
c.JupyterHub.services = [
    {"name": "idle-culler", "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=3600"]}
]
c.JupyterHub.load_roles = [
    {
        "name": "idle-culler",
        "services": ["idle-culler"],
        "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
    }
]
