import type { System } from '#api/admin/system.ts';
import { FORMAT_NAMES, hasTrait } from '#api/formats.ts';
import type { Context } from '#server/core/context.ts';
import { toInstant } from '#server/platform/base/instant.ts';
import { databaseBytes, databaseVersion } from '#server/platform/db/dialect.ts';
import type { PolicyRow } from '#server/platform/db/schema/storage.ts';
import { decoders, recognizers } from '#server/platform/imaging/decoders.ts';
import { reserveOf } from '#server/platform/storage/reserve.ts';

/** Every build reads these; what it can do with HEIF is tried. */
const OTHER_DECODERS = Object.fromEntries(
  FORMAT_NAMES.filter((name) => !hasTrait(name, 'drawing') && !hasTrait(name, 'photo')).map((name) => [name, true]),
);
/** Starting a decoder takes less than a second. */
const START_SECONDS = 10;

/** The state of the service and its machine. */
export async function readSystem(context: Context): Promise<System> {
  const { config, db, links, version, heic } = context;
  const policies = await db.read.selectFrom('policies').selectAll().orderBy('id').execute();
  const { sharp, vips } = await decoders.run('versions', {}, START_SECONDS);
  return {
    version,
    started_at: toInstant(Date.now() - process.uptime() * 1000),
    platform: `${process.platform} ${process.arch}`,
    versions: {
      node: process.versions.node,
      database: await databaseVersion(db.read),
      libvips: vips,
      sharp,
    },
    decoders: { ...OTHER_DECODERS, heic: await heic.isSupported() },
    memory_bytes: process.memoryUsage.rss() + decoders.memory() + recognizers.memory(),
    link_address: links.address(),
    data_folder: config.dataDir,
    database_bytes: await databaseBytes(db.read),
    disks: await Promise.all(policies.map((policy) => readDisk(context, policy))),
  };
}

/** A disk that can't be read is shown as empty and not healthy: that is what the page is for. */
async function readDisk({ blobs, settings, log }: Context, policy: PolicyRow): Promise<System['disks'][number]> {
  const driver = await blobs.driverOf(policy.id);
  const disk = { policy: policy.name, folder: driver.location, total_bytes: 0, free_bytes: 0, reserve_bytes: 0 };
  try {
    await driver.check();
    const space = await driver.space();
    if (!space) return { ...disk, healthy: true };
    const reserve_bytes = reserveOf(space, settings.current().disk_reserve_bytes);
    return { ...disk, total_bytes: space.total, free_bytes: space.free, reserve_bytes, healthy: true };
  } catch (error) {
    log.warn({ err: error, policy: policy.id }, 'storage cannot be used');
    return { ...disk, healthy: false };
  }
}
