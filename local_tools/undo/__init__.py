"""Undo the changes of file tools: copies, records, and the trash."""
