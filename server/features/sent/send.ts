import { MAX_RECIPIENTS, MAX_SENT } from '#api/constants.ts';
import type { RouteParsed } from '#api/contract.ts';
import type * as api from '#api/sent.ts';
import { toKey } from '#server/core/accounts/users.ts';
import { removeSendings } from '#server/core/images/sendings.ts';
import { tellSent } from '#server/core/journal/changes.ts';
import { enqueueEvent } from '#server/core/journal/events.ts';
import { readSettings } from '#server/core/settings/settings.ts';
import { InvalidRequestError, NotFoundError, RequestError } from '#server/platform/base/errors.ts';
import { randomKey } from '#server/platform/base/secret-text.ts';
import type { Queries, WritableDatabase } from '#server/platform/db/database.ts';
import type { SendingRow } from '#server/platform/db/schema/sendings.ts';
import { type Counter, requirePoint } from '#server/platform/limits/counter.ts';

type Sending = RouteParsed<typeof api.send, 'body'>;

const namesIn = ({ to }: Sending) => to.flatMap((one) => ('username' in one ? [one.username] : []));
const groupsIn = ({ to }: Sending) => to.flatMap((one) => ('group_id' in one ? [one.group_id] : []));

/**
 * Sends pictures of a user to others. With the directory off, each name that isn't of someone to whom they have sent before is counted, since it reveals who
 * has an account.
 * @param attempts those of albums, so that nothing more can be learned here
 * @throws RequestError `not_found` for pictures that aren't the sender's or in the trash, unknown users and groups; `invalid_request`, `rate_limited`
 */
export async function sendImages(
  db: WritableDatabase,
  attempts: Counter,
  senderId: number,
  hasDirectory: boolean,
  sending: Sending,
): Promise<SendingRow> {
  if (!hasDirectory) await countNames(db.read, attempts, senderId, namesIn(sending));
  return db.write(async (queries) => {
    const images = await requireOwn(queries, senderId, [...new Set(sending.keys)]);
    const users = await requireRecipients(queries, senderId, sending);
    const row = { id: randomKey(22), sender_id: senderId, message: sending.message, image_count: images.length, created_at: Date.now() };
    await makeRoom(queries, senderId);
    await queries.insertInto('sendings').values(row).execute();
    await queries
      .insertInto('sending_images')
      .values(images.map(({ id }, position) => ({ sending_id: row.id, image_id: id, position })))
      .execute();
    const recipients = users.map((user_id) => ({ sending_id: row.id, user_id, sent_at: row.created_at, seen_at: null, removed_at: null }));
    await queries.insertInto('sending_recipients').values(recipients).execute();
    tellSent(queries, 'sent.received', recipients);
    tellSent(queries, 'sent.changed', [{ user_id: senderId, sending_id: row.id }]);
    const keys = images.map(({ key }) => key);
    await enqueueEvent(queries, {
      type: 'sent.created',
      data: { id: row.id, sender_id: senderId, recipient_ids: users, keys, message: row.message },
    });
    return row;
  });
}

async function countNames(queries: Queries, attempts: Counter, senderId: number, names: readonly string[]) {
  const keys = [...new Set(names.map(toKey))];
  if (keys.length === 0) return;
  const known = await queries
    .selectFrom('sendings')
    .innerJoin('sending_recipients', 'sending_recipients.sending_id', 'sendings.id')
    .innerJoin('users', 'users.id', 'sending_recipients.user_id')
    .select('username_key')
    .distinct()
    .where('sender_id', '=', senderId)
    .where('username_key', 'in', keys)
    .execute();
  for (let count = known.length; count < keys.length; count++)
    await requirePoint(attempts, String(senderId), 'You have named too many users.');
}

/** The pictures with some keys, in that order. */
async function requireOwn(queries: Queries, ownerId: number, keys: readonly string[]) {
  const rows = await queries
    .selectFrom('images')
    .select(['id', 'key'])
    .where('owner_id', '=', ownerId)
    .where('key', 'in', keys)
    .where('deleted_at', 'is', null)
    .where('emptied_at', 'is', null)
    .where((row) => row.or([row('expires_at', 'is', null), row('expires_at', '>', Date.now())]))
    .execute();
  const found = new Map(rows.map((row) => [row.key, row]));
  return keys.map((key) => {
    const row = found.get(key);
    if (row) return row;
    throw new NotFoundError(
      keys.length === 1
        ? 'This picture isn’t among yours, or it’s in the trash. Choose another one.'
        : 'Some of these pictures aren’t among yours, or they’re in the trash. Reload the page and choose again.',
    );
  });
}

async function requireRecipients(queries: Queries, senderId: number, sending: Sending): Promise<number[]> {
  const { team_directory } = await readSettings(queries);
  const users = new Set<number>();
  for (const id of await findUsers(queries, namesIn(sending))) users.add(id);
  if (users.has(senderId))
    throw new InvalidRequestError('You can’t send pictures to yourself. Remove your own name.', { field: 'to', problem: 'own_name' });
  for (const groupId of new Set(groupsIn(sending))) {
    if (!team_directory) throw noGroup('This server doesn’t list its groups. Enter the user names of people exactly.');
    for (const id of await membersOf(queries, senderId, groupId)) users.add(id);
  }
  if (users.size > MAX_RECIPIENTS)
    throw new InvalidRequestError(`You can send pictures to at most ${MAX_RECIPIENTS} people at once. Choose a smaller group.`, {
      field: 'to',
      problem: 'too_many',
      limit: MAX_RECIPIENTS,
    });
  return [...users];
}

/** The accounts with some names. @throws NotFoundError that tells the first one that none has */
async function findUsers(queries: Queries, names: readonly string[]): Promise<number[]> {
  if (names.length === 0) return [];
  const users = await queries
    .selectFrom('users')
    .select(['id', 'username_key'])
    .where('username_key', 'in', names.map(toKey))
    .where('disabled_at', 'is', null)
    .execute();
  const found = new Map(users.map(({ id, username_key }) => [username_key, id]));
  return names.map((name) => {
    const id = found.get(toKey(name));
    if (id !== undefined) return id;
    throw new RequestError('not_found', `No user of this server is called “${name}”. Enter the name exactly.`, {
      field: 'to',
      problem: 'unknown_user',
      subject: name,
    });
  });
}

const noGroup = (message: string) => new RequestError('not_found', message, { field: 'to', problem: 'not_available' });

/** The active members of a listed group, as they are now, without the sender. */
async function membersOf(queries: Queries, senderId: number, groupId: number): Promise<number[]> {
  const group = await queries.selectFrom('groups').select('name').where('id', '=', groupId).where('listed', '=', 1).executeTakeFirst();
  if (!group) throw noGroup('This group doesn’t exist, or isn’t listed any more. Choose another one.');
  const members = await queries
    .selectFrom('users')
    .select('id')
    .where('group_id', '=', groupId)
    .where('disabled_at', 'is', null)
    .where('id', '<>', senderId)
    .limit(MAX_RECIPIENTS + 1)
    .execute();
  if (members.length === 0)
    throw new InvalidRequestError(`Nobody else is in the group “${group.name}”. Choose people instead.`, {
      field: 'to',
      problem: 'empty_group',
      subject: group.name,
    });
  return members.map(({ id }) => id);
}

/** Takes back the oldest of what a user has sent: so there are at most {@link MAX_SENT} rows with 500 pictures and {@link MAX_RECIPIENTS} recipients each. */
async function makeRoom(queries: Queries, senderId: number) {
  const beyond = await queries
    .selectFrom('sendings')
    .select(['id', 'sender_id'])
    .where('sender_id', '=', senderId)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .offset(MAX_SENT - 1)
    .limit(MAX_SENT)
    .execute();
  await removeSendings(queries, beyond);
}
