import type { UploadStatus } from '#api/desktop/uploads.ts';
import { atMost } from '#main/base/at-most.ts';
import type { Tell } from '#main/ipc.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { Uploader } from '#main/uploader/uploader.ts';

/** Changes of the uploads that a page is told of, per second. */
const PER_SECOND = 4;

/** Sends events to the page in the window. */
export function setupPageEvents(tell: Tell, service: ServiceProcess, uploader: Pick<Uploader, 'onChange'>, uploads: () => UploadStatus) {
  service.onStatus((status) => tell('serviceStatus', status));
  uploader.onChange(atMost(PER_SECOND, () => tell('uploadStatus', uploads())));
}
