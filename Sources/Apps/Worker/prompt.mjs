/**
 * The messages that `POST /generate` admits, and their costs, as in the tables in Sources/Apps/Service/README.md. One
 * token for each byte is enough only for text. A picture costs a thousand tokens, but the message contains only its
 * address of a few bytes.
 */

import { isText, isWhole } from "../../Bindings/JavaScript/Verifier/arguments.mjs";
import { MAXIMUM_JSON_DEPTH } from "../../Bindings/JavaScript/Generated/server-facts.mjs";
import { Fault } from "./refusal.mjs";

/** Request members that the Worker writes itself, and `n`, which would multiply the answers. */
export const OWN_MEMBERS = ["model", "messages", "stream", "stream_options", "n"];
/**
 * Request members that the Worker never passes on, the same as Generation.unboundedMembers of the service. They
 * multiply the answers, set a second limit, or make the model read or write more than the request's bytes and token
 * limit cover.
 */
export const UNBOUNDED_MEMBERS = [
  "best_of", "candidate_count", "num_return_sequences", "max_tokens", "max_completion_tokens", "max_output_tokens", "audio", "modalities",
  "prediction", "web_search_options", "tools", "functions", "file", "files", "attachments", "input", "prompt", "previous_response_id",
  "conversation", "background", "data_sources", "plugins", "models", "extra_body",
];
const ROLES = ["system", "developer", "user", "assistant", "tool"];
const MEMBERS = ["role", "content", "name", "refusal", "tool_call_id", "tool_calls"];

const { malformed } = Fault;
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
const hasTexts = (value, names) =>
  isObject(value) && Object.keys(value).length === names.length && names.every((name) => Object.hasOwn(value, name) && isText(value[name]));

/**
 * Returns whether a member can be passed on. It may nest at most `depth` deep; the request around it is one level deeper.
 * It may contain no lone surrogate and no number such as 1e400, which `JSON.stringify` would write as null.
 */
export function canBePassedOn(value, depth = MAXIMUM_JSON_DEPTH - 1) {
  if (typeof value === "string") return isText(value);
  if (typeof value !== "object" || value === null) return typeof value !== "number" || Number.isFinite(value);
  return depth > 0 && Object.keys(value).every(isText) && Object.values(value).every((inner) => canBePassedOn(inner, depth - 1));
}

/** Returns true if these are reserves in tokens by part type. */
export function areReserves(parts) {
  return isObject(parts) && Object.entries(parts).every(([type, tokens]) =>
    type !== "" && type !== "text" && isWhole(tokens, 1, 10_000_000));
}

/**
 * Returns the units that the parts of all messages cost in addition to their bytes. `parts`: the reserve of each
 * admitted type.
 */
export function costOfParts(messages, parts) {
  if (!Array.isArray(messages) || messages.length === 0) throw malformed("messages");
  return messages.reduce((cost, message) => cost + costOf(message, parts), 0);
}

function costOf(message, parts) {
  if (!isObject(message) || !Object.keys(message).every((name) => MEMBERS.includes(name))) throw malformed("message");
  const { role, content, tool_calls: calls } = message;
  if (!ROLES.includes(role)) throw malformed("role");
  for (const name of ["name", "refusal", "tool_call_id"]) {
    if (Object.hasOwn(message, name) && message[name] !== null && !isText(message[name])) throw malformed(name);
  }
  const isAssistant = role === "assistant";
  if (Object.hasOwn(message, "tool_calls") && !(isAssistant && Array.isArray(calls) && calls.every(isCall))) throw malformed("tool_calls");
  if (isText(content) || (isAssistant && (content === null || content === undefined))) return 0;
  if (!Array.isArray(content)) throw malformed("content");
  return content.reduce((cost, part) => cost + costOfPart(part, parts), 0);
}

function isCall(call) {
  if (!isObject(call)) return false;
  const { function: called, ...rest } = call;
  return hasTexts(rest, ["id", "type"]) && rest.type === "function" && hasTexts(called, ["name", "arguments"]);
}

function costOfPart(part, parts) {
  if (!isObject(part) || !isText(part.type)) throw malformed("part");
  if (hasTexts(part, ["type", "text"]) && part.type === "text") return 0;
  if (!Object.hasOwn(parts, part.type) || !hasOneReference(part)) throw malformed(`part ${JSON.stringify(part.type).slice(0, 40)}`);
  return parts[part.type];
}

/** Counts the references; the excluded members only describe a reference. */
const referencesIn = (object) => Object.keys(object).filter((name) => !["detail", "format", "filename", "media_type"].includes(name)).length;

/** With a second reference, a part would contain a second picture for the same reserve. */
function hasOneReference({ type, detail = "", ...references }) {
  const [[name, value] = [], ...others] = Object.entries(references);
  if (name === undefined || others.length > 0 || !isText(detail)) return false;
  if (name === type) return isText(value) || (isObject(value) && Object.values(value).every(isText) && referencesIn(value) === 1);
  return type.startsWith("input_") && isText(value);
}
