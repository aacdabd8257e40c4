/** The entry point of a Worker that accepts purchases, which needs a second module. */

import { Purchases } from "../../Bindings/JavaScript/RelyingParty/purchases.mjs";
import module from "./PureAttestPurchases.wasm";
import { createHandler } from "./handler.mjs";
import { makeVerifier } from "./verifier.mjs";

export default createHandler(makeVerifier, { makePurchases: (options) => Purchases.instantiate(module, options) });
