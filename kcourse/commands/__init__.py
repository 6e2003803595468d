"""The programs: what ``kcourse lab``, ``check``, ``grade``, ``slides``, ``release`` and ``doctor`` do."""
