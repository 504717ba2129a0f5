import type { Album, Person } from '#api/albums/albums.ts';
import type { AlbumGroup, AlbumMember } from '#api/albums/members.ts';
import type { SharedImage } from '#api/albums/pictures.ts';
import type { User } from '#api/auth/auth.ts';
import type { Preferences } from '#api/auth/user.ts';
import type { Image } from '#api/images/images.ts';
import type { Sent } from '#api/sent.ts';
import { ADA, CONFIG, type Config, LIMITS, type Limits, PREFERENCES } from './account.ts';
import type { Api } from './service.ts';

interface ListedGroup {
  id: number;
  name: string;
  member_count: number;
}

/** A group with which an album is shared; without one, everyone. */
export type GroupShare = Omit<AlbumGroup, 'group'> & Partial<Pick<AlbumGroup, 'group'>>;

/** What a fake service starts with; everything has a default. */
export interface LibraryOptions {
  /** Who is signed in; null: a visitor. */
  user?: User | null;
  config?: Partial<Config>;
  limits?: Partial<Limits>;
  preferences?: Partial<Preferences>;
  /** Other users of the site. */
  users?: User[];
  /** The user's own albums, in order, and those that are shared with them. */
  albums?: Album[];
  /** The user's own pictures, the trash included. */
  images?: Image[];
  /** The members of albums, by album. */
  members?: Record<string, AlbumMember[]>;
  /** The groups that an admin has listed. */
  groups?: ListedGroup[];
  /** How many pictures have been added to albums since the last visit of the team’s page, by album. */
  news?: Record<string, number>;
  /** With which groups, or with everyone, albums are shared, by album. */
  shares?: Record<string, GroupShare[]>;
  /** What others have added to albums, by album. */
  others?: Record<string, SharedImage[]>;
  /** What was sent to the user, and what they have sent, the latest first. */
  received?: Sent[];
  sent?: Sent[];
}

/** What a fake service knows: handlers read and change it, and so may tests. */
export class Library {
  user: User | null;
  readonly config: Config;
  readonly limits: Omit<Limits, 'image_count'>;
  readonly preferences: Preferences;
  readonly users: User[];
  albums: Album[];
  images: Image[];
  readonly members: Record<string, AlbumMember[]>;
  readonly groups: ListedGroup[];
  readonly news: Record<string, number>;
  readonly shares: Record<string, GroupShare[]>;
  readonly others: Record<string, SharedImage[]>;
  received: Sent[];
  /** Keys of those that are in albums of the user, by album. */
  readonly inAlbums: Record<string, string[]> = {};
  sent: Sent[];
  /** The keys of pictures in albums that have been sorted, by album. */
  readonly orders: Record<string, string[]> = {};
  /** Pictures before a batch changed them, by its `undo`. */
  readonly undone: Record<string, Image[]> = {};

  constructor({
    user = ADA,
    config,
    limits,
    preferences,
    users = [],
    albums = [],
    images = [],
    members = {},
    groups = [],
    news = {},
    shares = {},
    others = {},
    received = [],
    sent = [],
  }: LibraryOptions) {
    this.user = user;
    this.config = { ...CONFIG, ...config };
    this.limits = { ...LIMITS, ...limits };
    this.preferences = { ...PREFERENCES, ...preferences };
    this.users = users;
    this.albums = albums;
    this.images = images;
    this.members = members;
    this.groups = groups;
    this.news = news;
    this.shares = shares;
    this.others = others;
    this.received = received;
    this.sent = sent;
  }

  /** Keeps pictures as they are, so that a batch can be undone. Returns its `undo`: a new one, or that of the batch which it continues. */
  remember(images: readonly Image[], undo = `undo${String(nextNumber()).padStart(18, '0')}`): string {
    this.undone[undo] = [...(this.undone[undo] ?? []), ...structuredClone(images)];
    return undo;
  }

  /** The signed-in user, whom most routes require. */
  signedIn(): User {
    if (!this.user) throw new Error('nobody is signed in');
    return this.user;
  }
}

/** What every page asks for. */
export const accountApi = (library: Library): Api => ({
  'GET /config': () => library.config,
  'GET /auth/session': () => ({ user: library.user }),
  'GET /user': () => ({ ...library.signedIn(), group: library.limits.group, preferences: library.preferences, recognize_text: true }),
  'GET /user/limits': () => ({ ...library.limits, image_count: library.images.filter(({ deleted_at }) => !deleted_at).length }),
  'PATCH /user/preferences': ({ body }) => Object.assign(library.preferences, body),
});

/** A user as others see them. */
export const personOf = ({ id, username, avatar_url }: User): Person => ({ id, username, avatar_url });

let last = 0;
/** Counts samples, so that no two are alike. */
export const nextNumber = () => ++last;

/** When the tests began, or the day did: all samples are of today. */
let start = 0;
/** The n-th sample's moment: each is a little later than the one before. */
export function momentOf(number: number): string {
  const midnight = new Date().setHours(0, 0, 0, 0);
  if (start < midnight) start = Math.max(midnight, Date.now() - 60_000);
  return new Date(start + number).toISOString();
}

/** A list in one page. */
export const pageOf = <T>(items: T[]) => ({ items, next_cursor: null });
