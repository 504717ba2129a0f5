import type { Uploader } from './uploader.ts';

/** Uploads that have not arrived: those that wait, run, are paused or have failed. */
export function pendingUploads(uploader: Pick<Uploader, 'summary' | 'change'>) {
  return {
    count() {
      const { sending, queued, paused, failed } = uploader.summary();
      return sending + queued + paused + failed;
    },
    discard() {
      uploader.change('discard', 'all');
      uploader.change('dismiss', 'all');
    },
  };
}
