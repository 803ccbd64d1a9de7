"""Named records: models, cards, number formats, assumptions. Each number with its source."""
