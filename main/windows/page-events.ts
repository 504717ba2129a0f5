import type { WatchFolder } from '#api/desktop/folders.ts';
import type { UploadStatus } from '#api/desktop/uploads.ts';
import { atMost } from '#main/base/at-most.ts';
import type { Tell } from '#main/ipc.ts';
import type { Lan } from '#main/lan/lan.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';

/** Maximum number of changes reported to a page, per second and subject. */
const PER_SECOND = 4;

interface Sources {
  service: Pick<ServiceProcess, 'onStatus'>;
  lan: Pick<Lan, 'onChange'>;
  uploads: Changing<UploadStatus>;
  folders: Changing<WatchFolder[]>;
}

/** Something that changes often. */
interface Changing<T> {
  onChange(listener: () => void): void;
  read(): T;
}

/** Sends events to the page in the window. */
export function setupPageEvents(tell: Tell, { service, lan, uploads, folders }: Sources) {
  service.onStatus((status) => tell('serviceStatus', status));
  lan.onChange((status) => tell('lanStatus', status));
  uploads.onChange(atMost(PER_SECOND, () => tell('uploadStatus', uploads.read())));
  folders.onChange(atMost(PER_SECOND, () => tell('folders', folders.read())));
}
