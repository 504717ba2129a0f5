import { allowsVideos } from '#api/formats.ts';
import { type Group, groupOfKind, groupOfUser } from '#server/core/accounts/groups.ts';
import type { RequestSender } from '#server/core/requests/sent-files.ts';
import { type HashTurn, knownTurn, strangersTurn } from '#server/platform/admission/hashing.ts';
import type { Caller, Queries } from '#server/platform/db/database.ts';
import type { UserRow } from '#server/platform/db/schema/accounts.ts';
import type { ImageRow } from '#server/platform/db/schema/library.ts';
import type { FormOptions } from '#server/platform/http/form.ts';
import type { DecodingTurn } from '#server/platform/imaging/decoding.ts';

/** The largest files that a group may upload. */
export function formLimits({ max_file_bytes, max_video_bytes, allowed_exts }: Group): FormOptions {
  return { maxBytes: max_file_bytes, maxVideoBytes: allowsVideos(allowed_exts) ? max_video_bytes : max_file_bytes };
}

/** The largest file that members of a group may upload, picture or video, in bytes; 0: unlimited. */
export function maxUploadBytes({ max_file_bytes, max_video_bytes, allowed_exts }: Group): number {
  if (!allowsVideos(allowed_exts)) return max_file_bytes;
  return max_file_bytes === 0 || max_video_bytes === 0 ? 0 : Math.max(max_file_bytes, max_video_bytes);
}

/** The account or guest behind an upload. */
export interface Uploader {
  /** Checks that they may still upload, in the unit that stores the image. */
  caller: Caller;
  /** Undefined: a guest. */
  user: UserRow | undefined;
  group: Group;
  address: string;
  /** Whether they may know and change the account's pictures: not with a token that may only upload, nor as a guest. */
  isTrusted: boolean;
  /** The request link through which someone without the account sends to it; undefined: the uploader's own. */
  through?: Through;
  /** Their place among those whose pictures are decoded. */
  turn: DecodingTurn;
}

/** A request link that an upload comes through: its picture is always a new one, without metadata, and counted by the link. */
export interface Through {
  linkId: string;
  sender: RequestSender;
}

/** The turn of a password that comes with an upload. */
export const hashTurnOf = ({ turn: { who, isGuest } }: Pick<Uploader, 'turn'>): HashTurn => (isGuest ? strangersTurn(who) : knownTurn(who));

/** The group of an uploader as it is now, in the unit that stores the image. */
export async function presentGroup(queries: Queries, { user }: Pick<Uploader, 'user'>): Promise<Group> {
  return user ? groupOfUser(queries, user.id) : groupOfKind(queries, 'guest');
}

/** An uploader with an account. */
export type MemberUploader = Uploader & { user: UserRow };

export interface UploadResult {
  row: ImageRow;
  /** True where an existing image of the same owner was returned instead of a new one. */
  reused: boolean;
  /** True if this upload made the image, now or in an earlier attempt with the same key. */
  isOwn: boolean;
}
