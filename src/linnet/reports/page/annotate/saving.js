// Saves the documents in any format, and shows how to get the same from a shell or from Python.
import { find, make } from "../shared/dom.js";
import { convert, hasToken } from "./server.js";

const TOKEN = "LINNET_TOKEN"; // variable of the environment in commands

const inShell = (text) => `'${text.replaceAll("'", `'\\''`)}'`;

export function asCurl(text, options) {
  const address = `${location.origin}/annotate?${new URLSearchParams(options)}`;
  const token = hasToken() ? ` -H "Authorization: Bearer $${TOKEN}"` : "";
  return `curl -s ${inShell(address)}${token} -H 'Content-Type: text/plain; charset=utf-8' --data-raw ${inShell(text)}`;
}

export function asPython(text, options) {
  const address = `${location.origin}/annotate?${new URLSearchParams(options)}`;
  const token = hasToken() ? [`request.add_header("Authorization", "Bearer " + os.environ["${TOKEN}"])`] : [];
  return ["import json", ...(hasToken() ? ["import os"] : []), "import urllib.request", "", `text = ${JSON.stringify(text)}`,
    `request = urllib.request.Request(${JSON.stringify(address)}, json.dumps({"text": text}).encode())`,
    'request.add_header("Content-Type", "application/json")', ...token,
    "with urllib.request.urlopen(request) as answer:", "    print(json.load(answer))"].join("\n");
}

export function listFormatsToSave(formats) {
  find("format").replaceChildren(...formats.filter((each) => each.write)
    .map((each) => make("option", { value: each.name, "data-suffix": each.suffix }, each.name)));
  find("format").value = "jsonl";
}

export async function save(documents) {
  const [chosen] = find("format").selectedOptions;
  const address = URL.createObjectURL(await convert(documents, chosen.value));
  const name = documents.length === 1 ? documents[0].id.replaceAll(/[^\w.-]+/g, "_") : "documents";
  make("a", { href: address, download: `${name || "document"}${chosen.dataset.suffix}` }).click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}

// Shows a command and puts it on the clipboard; browsers forbid that to pages of other machines without encryption.
export async function copyCommand(command) {
  find("command").hidden = false;
  find("command-text").value = command;
  find("command-text").select();
  try {
    await navigator.clipboard.writeText(command);
    find("copied").textContent = "Copied.";
  } catch {
    find("copied").textContent = "Copy this with Ctrl+C:";
  }
}
