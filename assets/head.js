// Before the first paint: an address that asks for a state of its own shows nothing until it can.
document.documentElement.toggleAttribute("data-query", location.search.length > 1);
