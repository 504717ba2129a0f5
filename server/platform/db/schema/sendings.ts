import { albumId, sentId } from '#api/contract.ts';
import { count, idOf, instant, type RowOf, table, text } from './columns.ts';

const inSending = text(sentId).references('sendings', 'cascade');

/** Pictures that users send to other users of this server (decision 182). */
export const sendings = {
  sendings: table(
    {
      /** 22 random letters and digits. */
      id: text(sentId),
      sender_id: idOf('users', 'cascade'),
      /** Empty: none. */
      message: text(),
      /** The number of pictures that were sent; some may have been deleted since. */
      image_count: count,
      created_at: instant,
    },
    { indexes: { sendings_by_sender: { columns: ['sender_id', 'created_at', 'id'] } } },
  ),

  sending_images: table(
    {
      sending_id: inSending,
      image_id: idOf('images', 'cascade'),
      /** Its place among those that were sent together. */
      position: count,
    },
    { key: ['sending_id', 'image_id'], indexes: { sending_images_by_image: { columns: ['image_id', 'sending_id'] } } },
  ),

  sending_recipients: table(
    {
      sending_id: inSending,
      user_id: idOf('users', 'cascade'),
      /** `created_at` of the sending. */
      sent_at: instant,
      seen_at: instant.nullable(),
      /** When the recipient has removed it: it is only in its sender's list then. */
      removed_at: instant.nullable(),
    },
    {
      key: ['sending_id', 'user_id'],
      indexes: {
        sending_recipients_by_user: { columns: ['user_id', 'sent_at', 'sending_id'] },
        sending_recipients_unseen: { columns: ['user_id'], where: 'seen_at is null and removed_at is null' },
      },
    },
  ),

  /** Pictures that were sent to the owner of an album, who alone sees them in it (decision 182). */
  album_received: table(
    {
      album_id: text(albumId).references('albums', 'cascade'),
      image_id: idOf('images', 'cascade'),
      sending_id: inSending,
      added_at: instant,
    },
    {
      key: ['album_id', 'image_id'],
      indexes: {
        album_received_by_image: { columns: ['image_id'] },
        album_received_by_sending: { columns: ['sending_id'] },
      },
    },
  ),
};

export type SendingRow = RowOf<typeof sendings.sendings>;
