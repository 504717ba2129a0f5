import { several } from '#server/platform/base/several.ts';
import type { Skip } from '#transfer/walk.ts';
import { formatBytes, formatSeconds } from '../printable.ts';
import type { LeftOut } from './completion.ts';
import { describeLeftOut, describeTakeout, type TakeoutSummary } from './takeout/summary.ts';

/** The counts of an import, as in the report. */
export interface Summary {
  uploaded: number;
  uploaded_bytes: number;
  /** Uploaded files that the server already had. */
  reused: number;
  /** Skipped because an earlier run uploaded them. */
  imported_before: number;
  failed: number;
  skipped: Record<Skip, number>;
  takeout?: TakeoutSummary;
  source?: SourceSummary;
  seconds: number;
}

/** What an import found at another product, as in the report. */
export interface SourceSummary {
  title: string;
  /** Items there, without those that are no pictures. */
  pictures: number;
  videos: number;
  other_files: number;
  /** Deleted there before they could be fetched. */
  gone: number;
  /** Kinds of what some pictures had and couldn't bring along, with their number. */
  not_brought: Record<string, number>;
  /** Kinds of what never comes along. */
  never_brought: string[];
  left_out: LeftOut;
  /** Requests to the source. */
  requests: number;
}

export function emptySummary(): Summary {
  const skipped = { symlink: 0, other_type: 0, hidden: 0, excluded_folder: 0, special: 0 };
  return { uploaded: 0, uploaded_bytes: 0, reused: 0, imported_before: 0, failed: 0, skipped, seconds: 0 };
}

/** The summary as sentences. */
export function describeSummary(summary: Summary, dryRun: boolean): string[] {
  const { uploaded, uploaded_bytes, reused, imported_before, failed, seconds } = summary;
  const size = formatBytes(uploaded_bytes);
  const done = dryRun
    ? `Would upload ${several(uploaded, 'picture')} (${size})`
    : `Uploaded ${several(uploaded, 'picture')} (${size} in ${formatSeconds(seconds)})`;
  const parts = [
    done,
    reused && `${reused} of them already on the server`,
    imported_before && `${imported_before} imported earlier`,
    failed && `${failed} failed`,
  ];
  const skipped = describeSkipped(summary.skipped);
  const sentences = [`${parts.filter(Boolean).join(', ')}.`, ...(skipped ? [`Skipped: ${skipped}.`] : [])];
  return [
    ...sentences,
    ...(summary.takeout ? describeTakeout(summary.takeout) : []),
    ...(summary.source ? describeSource(summary.source) : []),
  ];
}

function describeSource({ title, pictures, videos, other_files, gone, not_brought, never_brought, left_out }: SourceSummary): string[] {
  const skipped = [
    videos && several(videos, 'video'),
    other_files && several(other_files, 'other file'),
    gone && `${several(gone, 'picture')} deleted there meanwhile`,
  ].filter(Boolean);
  if (pictures + videos + other_files === 0) return [];
  const lost = Object.entries(not_brought).map(([kind, count]) => `${kind} (${several(count, 'picture')})`);
  return [
    `${title} has ${several(pictures, 'picture')}.`,
    ...(skipped.length ? [`Skipped: ${skipped.join(', ')}.`] : []),
    ...(lost.length ? [`Not brought along: ${lost.join(', ')}.`] : []),
    `Never brought along: ${never_brought.join(', ')}.`,
    ...describeLeftOut(left_out),
  ];
}

const SKIPPED: Record<Skip, [one: string, many: string]> = {
  symlink: ['symbolic link', 'symbolic links'],
  other_type: ['non-picture or excluded file', 'non-picture or excluded files'],
  hidden: ['hidden file or folder', 'hidden files and folders'],
  excluded_folder: ['excluded folder', 'excluded folders'],
  special: ['device, pipe or socket', 'devices, pipes or sockets'],
};

function describeSkipped(skipped: Summary['skipped']) {
  const parts = Object.entries(SKIPPED).map(([reason, [one, many]]) => {
    const count = skipped[reason as Skip];
    return count ? `${count} ${count === 1 ? one : many}` : '';
  });
  return parts.filter(Boolean).join(', ');
}
