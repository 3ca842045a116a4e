// Addresses of concepts by the prefix of their identifiers. They are opened when a reader clicks, and never before.
import { make } from "../shared/dom.js";

const ADDRESSES = {
  mesh: "https://meshb.nlm.nih.gov/record/ui?ui=",
  ncbigene: "https://www.ncbi.nlm.nih.gov/gene/",
  ncbitaxon: "https://www.ncbi.nlm.nih.gov/Taxonomy/Browser/wwwtax.cgi?id=",
  omim: "https://omim.org/entry/",
  cellosaurus: "https://www.cellosaurus.org/",
  dbsnp: "https://www.ncbi.nlm.nih.gov/snp/",
  hgnc: "https://www.genenames.org/data/gene-symbol-report/#!/hgnc_id/HGNC:",
  ...Object.fromEntries(["CHEBI", "CL", "DOID", "GO", "HP", "MONDO", "NCIT", "UBERON"]
    .map((name) => [name.toLowerCase(), `https://purl.obolibrary.org/obo/${name}_`])),
};

// The address of an identifier such as `mesh:D003920`, or of `D003920` in the database `MESH`; null if it is not known.
function addressOf({ identifier, database = "" }) {
  const whole = identifier.includes(":") ? identifier : `${database}:${identifier}`;
  const [, prefix, local] = /^([^:]+):(.+)$/.exec(whole) || [];
  const address = prefix && Object.hasOwn(ADDRESSES, prefix.toLowerCase()) && ADDRESSES[prefix.toLowerCase()];
  return address ? address + encodeURIComponent(local) : null;
}

// The identifier of a link or a candidate; one that leads out of the page where its prefix is known.
export function drawIdentifier(link) {
  const address = addressOf(link);
  return address ? make("a", { href: address, target: "_blank", rel: "noopener noreferrer" }, link.identifier)
    : make("b", {}, link.identifier);
}
