import type { Generated, Selectable } from 'kysely';
import { z } from 'zod';
import { albumId, requestId } from '#api/contract.ts';
import { count, id, instant, name, passwordHash, type RowOf, sha256, text } from './columns.ts';

/** Links through which people without an account send pictures to an album (decision 141). */
export interface RequestLinksTable {
  /** 22 random letters and digits. */
  id: string;
  album_id: string;
  /** Who has created the link, and owns what is sent. */
  owner_id: number;
  title: string;
  message: string;
  password_hash: string | null;
  max_files: number;
  max_bytes: number;
  /** Which of the pictures that were sent senders see. */
  show: 'none' | 'own' | 'all';
  expires_at: number;
  paused_at: number | null;
  /** The pictures that were sent, until those that their senders have removed are deleted permanently. */
  file_count: Generated<number>;
  byte_count: Generated<number>;
  created_at: number;
}
export type RequestLinkRow = Selectable<RequestLinksTable>;
export const requestLinksRows = z.strictObject({
  id: requestId,
  album_id: albumId,
  owner_id: id,
  title: text,
  message: text,
  password_hash: passwordHash.nullable(),
  max_files: count,
  max_bytes: count,
  show: z.enum(['none', 'own', 'all']),
  expires_at: instant,
  paused_at: instant.nullable(),
  file_count: z.int(),
  byte_count: z.int(),
  created_at: instant,
}) satisfies RowOf<RequestLinksTable>;

/** What one sender has sent through a link without a long pause. */
export interface RequestBatchesTable {
  id: Generated<number>;
  request_id: string;
  /** Hash of the secret that the sender's page has made; null: the sender has sent none, so this batch is nobody's. */
  sender_hash: string | null;
  /** Empty: not given. */
  sender_name: string;
  /** The time of its latest picture. */
  last_at: number;
  /** When its owner was notified; null: more may follow. */
  closed_at: number | null;
}
export type RequestBatchRow = Selectable<RequestBatchesTable>;
export const requestBatchesRows = z.strictObject({
  id,
  request_id: requestId,
  sender_hash: sha256.nullable(),
  sender_name: text,
  last_at: instant,
  closed_at: instant.nullable(),
}) satisfies RowOf<RequestBatchesTable>;

/** The pictures that were sent, until they are deleted permanently. */
export interface RequestFilesTable {
  /** What senders know a picture by: 22 random letters and digits. */
  id: string;
  batch_id: number;
  image_id: number;
  /** As its sender knows it: the owner may rename the picture. The same holds for `size`. */
  name: string;
  size: number;
  sent_at: number;
}
export type RequestFileRow = Selectable<RequestFilesTable>;
export const requestFilesRows = z.strictObject({
  id: requestId,
  batch_id: id,
  image_id: id,
  name,
  size: count,
  sent_at: instant,
}) satisfies RowOf<RequestFilesTable>;
