// Filters and examples in the part of the address after `#`.

export const parametersInAddress = () => new URLSearchParams(location.hash.slice(1));

// The position of the example that the address names (`#s3` is 2), or null.
export function exampleInAddress() {
  const named = /^#s(\d+)$/.exec(location.hash);
  return named ? Number(named[1]) - 1 : null;
}

export function setAddress(parameters) {
  const fragment = String(parameters);
  try {
    history.replaceState(null, "", `${location.pathname}${location.search}${fragment && `#${fragment}`}`);
  } catch {
    // Some browsers do not let a page from disk change its address; the filters work all the same.
  }
}
