import { CERTIFICATE_REASONS, REASON_TEXTS } from "../Generated/reasons.mjs";

/** Returns the reason in words and, for certificates, the broken X.509 rule in words. */
export function reasonText(code, detail) {
  const text = Object.hasOwn(REASON_TEXTS, code) ? REASON_TEXTS[code] : "the object is refused";
  return CERTIFICATE_REASONS.includes(detail) && detail ? `${text}: ${detail.replace(/[A-Z]+/g, (part) => ` ${part.toLowerCase()}`)}` : text;
}
