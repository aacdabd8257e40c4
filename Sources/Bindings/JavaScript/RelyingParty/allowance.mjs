/** The budget that the keys of a purchase share. `Purchases` creates it for `RelyingParty.spendBudget`. */
export class Allowance {
  #values;

  /** @param {unknown[]} values days, requests, units and the name of the purchase's budget, as in both modules */
  constructor(values) {
    this.#values = values;
  }

  get days() {
    return this.#values[0];
  }

  get requests() {
    return this.#values[1];
  }

  get units() {
    return this.#values[2];
  }

  get values() {
    return [...this.#values];
  }
}
