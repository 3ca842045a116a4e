// The content of a report, which stands in its page as JSON.
import { find } from "./dom.js";

export const data = JSON.parse(find("data").textContent);
