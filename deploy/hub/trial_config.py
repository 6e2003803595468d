"""To try the hub on one machine: any name, one password, nobody kept from anybody else. Not for a class.

    TRIAL_PASSWORD=… KCOURSE_COURSE=… jupyterhub -f deploy/hub/trial_config.py

Homes lie in the folder it is started in, below ``homes``.
"""

import os
from pathlib import Path

load_subconfig(str(Path(__file__).resolve().with_name("jupyterhub_config.py")))  # noqa: F821

c = get_config()  # noqa: F821
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = os.environ["TRIAL_PASSWORD"]
c.Authenticator.allow_all = True
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = str(Path.cwd() / "homes" / "{username}")
c.JupyterHub.bind_url = "http://127.0.0.1:8000"
c.Spawner.environment |= {name: value for name, value in os.environ.items() if name.startswith("KCOURSE_")}
if os.geteuid() == 0:
    c.Spawner.args = ["--allow-root"]
