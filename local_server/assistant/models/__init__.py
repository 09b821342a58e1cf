"""Language models: ids, providers, prompts, streams and failures."""
