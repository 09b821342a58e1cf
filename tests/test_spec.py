"""The two-way check between the specification's rows and the tests that pin them."""
