import { albumId, requestId } from '#api/contract.ts';
import { count, exact, idOf, instant, name, numbered, oneOf, passwordHash, type RowOf, sha256, table, text } from './columns.ts';

/** Request links (decision 141). */
export const requests = {
  /** Links through which people without an account send pictures to an album. */
  request_links: table(
    {
      /** 22 random letters and digits. */
      id: text(requestId),
      album_id: text(albumId).references('albums', 'cascade'),
      /** Who has created the link, and owns what is sent. */
      owner_id: idOf('users', 'cascade'),
      title: text(),
      message: text(),
      password_hash: passwordHash.nullable(),
      max_files: count,
      max_bytes: count,
      /** Which of the pictures that were sent senders see. */
      show: oneOf(['none', 'own', 'all']),
      expires_at: instant,
      paused_at: instant.nullable(),
      /** The pictures that were sent, until those that their senders have removed are deleted permanently. */
      file_count: exact.default(0),
      byte_count: exact.default(0),
      created_at: instant,
    },
    {
      indexes: {
        request_links_of_album: { columns: ['album_id', 'created_at', 'id'] },
        request_links_of_owner: { columns: ['owner_id'] },
      },
    },
  ),

  /** What one sender has sent through a link without a long pause. */
  request_batches: table(
    {
      id: numbered,
      request_id: text(requestId).references('request_links', 'cascade'),
      /** Hash of the secret that the sender's page has made; null: the sender has sent none, so this batch is nobody's. */
      sender_hash: sha256.nullable(),
      /** Empty: not given. */
      sender_name: text(),
      /** The time of its latest picture. */
      last_at: instant,
      /** When its owner was notified; null: more may follow. */
      closed_at: instant.nullable(),
    },
    {
      indexes: {
        request_batches_of_request: { columns: ['request_id', 'id'] },
        request_batches_open: { columns: ['last_at'], where: 'closed_at is null' },
      },
    },
  ),

  /** The pictures that were sent, until they are deleted permanently. */
  request_files: table(
    {
      /** What senders know a picture by: 22 random letters and digits. */
      id: text(requestId),
      batch_id: idOf('request_batches', 'cascade'),
      image_id: idOf('images', 'cascade').unique(),
      /** As its sender knows it: the owner may rename the picture. The same holds for `size`. */
      name,
      size: count,
      sent_at: instant,
    },
    { indexes: { request_files_of_batch: { columns: ['batch_id', 'sent_at', 'id'] } } },
  ),
};

export type RequestLinkRow = RowOf<typeof requests.request_links>;
export type RequestBatchRow = RowOf<typeof requests.request_batches>;
export type RequestFileRow = RowOf<typeof requests.request_files>;
