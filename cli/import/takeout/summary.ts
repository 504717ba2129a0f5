import { several } from '#server/platform/base/several.ts';
import type { LeftOut } from '../completion.ts';
import type { TakeoutExport } from './export.ts';

/** What an import found in a Google Takeout, as in the report. */
export interface TakeoutSummary {
  /** Files with the bytes of another one, which weren't sent. */
  copies: number;
  /** In the trash of Google Photos. */
  trashed: number;
  /** Uploaded like the others. */
  archived: number;
  json_files: number;
  without_json: number;
  damaged_json: number;
  videos: number;
  live_videos: number;
  json_without_picture: string[];
  /** Damaged JSON files that belong to no picture. */
  damaged_without_picture: string[];
  untitled_albums: string[];
  packed: string[];
  left_out: LeftOut;
}

export function takeoutSummary({ jsons, videos, liveVideos, orphans, damaged, untitled, archives }: TakeoutExport): TakeoutSummary {
  return {
    copies: 0,
    trashed: 0,
    archived: 0,
    json_files: jsons,
    without_json: 0,
    damaged_json: 0,
    videos,
    live_videos: liveVideos,
    json_without_picture: orphans.map(({ relative }) => relative),
    damaged_without_picture: damaged.map(({ relative }) => relative),
    untitled_albums: untitled,
    packed: archives,
    left_out: { favourites: 0, in_albums: 0 },
  };
}

/** Longer lists are only in the report. */
const MAX_LISTED = 10;

/** The summary as sentences. */
export function describeTakeout(summary: TakeoutSummary): string[] {
  const { copies, trashed, archived, without_json, damaged_json, videos, live_videos } = summary;
  const { json_without_picture, damaged_without_picture, untitled_albums, packed, left_out } = summary;
  const counts = [
    copies && `${copies} with the same content as another file, not sent again`,
    trashed && `${trashed} in the trash of Google Photos, skipped`,
    archived && `${archived} archived in Google Photos, uploaded like the others`,
    videos && `${several(videos, 'video')}, skipped${live_videos ? ` (${live_videos} of Live Photos)` : ''}`,
    without_json && `${without_json} without a JSON file`,
    damaged_json && `${damaged_json} with a damaged JSON file`,
  ].filter(Boolean);
  return [
    ...(summary.json_files ? [] : ['No JSON files of Google Photos were found. Choose the folder of an unpacked export.']),
    ...(counts.length ? [`Google Takeout: ${counts.join('; ')}.`] : []),
    ...listed('JSON files whose picture is missing (unpack all parts of the export into one folder)', json_without_picture),
    ...listed('Damaged JSON files, which may be those of albums', damaged_without_picture),
    ...listed('Albums without a title, left out', untitled_albums),
    ...listed('Archives that aren’t unpacked', packed),
    ...describeLeftOut(left_out),
  ];
}

export function describeLeftOut({ favourites, in_albums }: LeftOut): string[] {
  const lost = [favourites && several(favourites, 'favourite'), in_albums && `the albums of ${several(in_albums, 'picture')}`].filter(
    Boolean,
  );
  if (lost.length === 0) return [];
  return [`Left out, because this token can only upload: ${lost.join(', ')}. To add them, run the same command with a full-access token.`];
}

function listed(title: string, names: string[]): string[] {
  const rest = names.length - MAX_LISTED;
  return names.length ? [`${title}: ${names.slice(0, MAX_LISTED).join(', ')}${rest > 0 ? ` and ${rest} more` : ''}.`] : [];
}
