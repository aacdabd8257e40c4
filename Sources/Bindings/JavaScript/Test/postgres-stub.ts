/** Stands for postgres.js in the test of supabase.ts: its types, and a database without rows. */
interface SQL {
  unsafe(text: string, values?: unknown[]): Promise<Record<string, unknown>[] & { count: number }>;
}

export default function postgres(_url: string, _options: { prepare?: boolean }): SQL {
  return { unsafe: () => Promise.resolve(Object.assign([], { count: 0 })) };
}
