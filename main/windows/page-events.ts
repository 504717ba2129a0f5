import type { UploadStatus } from '#api/desktop/uploads.ts';
import { atMost } from '#main/base/at-most.ts';
import type { Tell } from '#main/ipc.ts';
import type { Lan } from '#main/lan/lan.ts';
import type { ServiceProcess } from '#main/service/server-process.ts';
import type { Uploader } from '#main/uploader/uploader.ts';

/** Changes of the uploads that a page is told of, per second. */
const PER_SECOND = 4;

interface Sources {
  service: Pick<ServiceProcess, 'onStatus'>;
  lan: Pick<Lan, 'onChange'>;
  uploader: Pick<Uploader, 'onChange'>;
  uploads(): UploadStatus;
}

/** Sends events to the page in the window. */
export function setupPageEvents(tell: Tell, { service, lan, uploader, uploads }: Sources) {
  service.onStatus((status) => tell('serviceStatus', status));
  lan.onChange((status) => tell('lanStatus', status));
  uploader.onChange(atMost(PER_SECOND, () => tell('uploadStatus', uploads())));
}
