"""Settings as data: the built-in defaults, examples, and the settings of the demo."""
