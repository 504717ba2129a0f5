import { encode } from 'uqr';
import classes from './qr-code.module.css';

/** Empty squares around the code, as ISO/IEC 18004 requires: on a dark page nothing else separates it. */
const QUIET_ZONE = 4;

/** A QR code, always dark on white: many cameras don't read inverted ones. `label` describes it to screen readers. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const { data, size } = encode(text, { ecc: 'M', border: QUIET_ZONE });
  const squares = data.flatMap((row, y) => row.flatMap((dark, x) => (dark ? [`M${x} ${y}h1v1h-1z`] : [])));
  return (
    <svg className={classes.code} viewBox={`0 0 ${size} ${size}`} role="img" aria-label={label} shapeRendering="crispEdges">
      <rect width={size} height={size} fill="#fff" />
      <path d={squares.join('')} fill="#000" />
    </svg>
  );
}
