// What the page asks of the server. Offsets are those of the browser: UTF-16 code units.
import { data } from "../shared/data.js";

const COMMAND = data.review ? "linnet review" : "linnet serve";
const TOKEN = "linnet-token"; // kept by the tab until it is closed

// A token may come in the address (`#token=…`), from which it is removed at once. Is there one?
export function readToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given === null) return false;
  sessionStorage.setItem(TOKEN, given);
  history.replaceState(null, "", location.pathname);
  return true;
}

// Asks for the token, and begins again with it.
export function askForToken() {
  const given = prompt("The token that the service was started with:");
  if (given === null) return;
  sessionStorage.setItem(TOKEN, given.trim());
  location.reload();
}

export const hasToken = () => sessionStorage.getItem(TOKEN) !== null;

class Problem extends Error {
  constructor({ problem, remedy, where }) {
    super(problem);
    this.remedy = remedy;
    this.where = where;
  }
}

// `then` is what a person does when a server that is gone has been started again.
async function ask(path, options = {}, then = "") {
  const token = sessionStorage.getItem(TOKEN);
  const headers = { ...options.headers, ...(token ? { Authorization: `Bearer ${token}` } : {}) };
  let answer;
  try {
    answer = await fetch(path, { ...options, headers });
  } catch {
    throw new Problem({ problem: "The server does not answer.", remedy: `start the same \`${COMMAND}\` command again${then}. `
      + "What you have changed is still in this window; do not reload it" });
  }
  if (answer.ok) return answer;
  throw new Problem(await errorOf(answer));
}

async function errorOf(answer) {
  try {
    const { error } = await answer.json();
    return error;
  } catch {
    return { problem: `The server answered with code ${answer.status}.`, remedy: "look at what it has printed" };
  }
}

const post = (path, type, body, then) => ask(path, { method: "POST", headers: { "Content-Type": type }, body }, then);

const withOptions = (path, options) => `${path}?${new URLSearchParams({ ...options, offsets: "utf16" })}`;

export const listModels = async () => (await ask("/models")).json();

export const listFormats = async () => (await ask("/formats")).json();

export async function annotateText(text, options) {
  return (await post(withOptions("/annotate", options), "application/json", JSON.stringify({ text }))).json();
}

export async function predictText(text, options) {
  return (await post(`/predict?${new URLSearchParams(options)}`, "application/json", JSON.stringify({ text }))).json();
}

export async function annotateFile(file, options) {
  const wanted = { ...options, name: file.name, to: "json" };
  return (await post(withOptions("/annotate", wanted), "application/octet-stream", file)).json();
}

// The documents in another format, as a blob.
export async function convert(documents, to) {
  return (await post(withOptions("/convert", { to }), "application/json", JSON.stringify({ documents }))).blob();
}

export const describeReview = async () => (await ask("/review")).json();

export const listReviewed = async () => (await ask("/review/documents")).json();

export const readReviewed = async (number) => (await ask(withOptions(`/review/${number}`, {}))).json();

export async function decide(number, decision) {
  const path = withOptions(`/review/${number}`, {});
  return (await post(path, "application/json", JSON.stringify(decision), ", then press Accept")).json();
}

export const writeOutput = async () => (await ask("/review/output", { method: "POST" })).json();
