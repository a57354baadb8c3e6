import type { Receipt } from '../core/receipt.ts';

/** What a transaction has brought, told once it is durable. */
export type News =
  | { readonly receipt: Receipt }
  | { readonly session: string; readonly from: string; readonly to: string };
