/** Rate limits of a relying party. */

/** A question about a token bucket. */
export interface LimitQuestion {
  /** Checks only, counts a request that is within the limit, or gives back a counted request. */
  action: "check" | "admit" | "giveBack";
  /** The limit's name, as in `Rates`; or "enrolmentRate", which has one bucket. */
  limit: string;
  /** The name of the bucket. */
  name: Uint8Array;
  /** Seconds since 1970. */
  time: number;
  burst: number;
  perMinute: number;
}

export interface Limits {
  /** Returns the seconds to wait, or null if the request is within the limit. If it throws, nothing is decided. */
  wait(question: LimitQuestion): Promise<number | null>;
}

/** Token buckets in the memory of one process. Each process counts for itself. */
export class MemoryLimits implements Limits {
  /** @param options the maximum number of names for each limit, 65,536 by default. All other names share one bucket */
  constructor(options?: { capacity?: number });
  wait(question: LimitQuestion): Promise<number | null>;
}
