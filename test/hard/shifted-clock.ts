import { readFileSync } from 'node:fs';

// Loaded into the service: the file that PIXDOCK_HARD_CLOCK names says by how many milliseconds its clock is wrong.

const file = process.env.PIXDOCK_HARD_CLOCK ?? '';
const RealDate = Date;
const now = RealDate.now.bind(RealDate);

class ShiftedDate extends RealDate {
  constructor(...parts: [] | [string | number | Date]) {
    if (parts.length) super(...(parts as [string]));
    else super(ShiftedDate.now());
  }

  static override now = () => now() + Number(readFileSync(file, 'utf8'));
}

globalThis.Date = ShiftedDate as DateConstructor;
