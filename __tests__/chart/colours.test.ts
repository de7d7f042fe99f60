// The two colours of the pictures, as those see them who cannot tell all colours.
import { colours } from '../../lib/chart/style';

type Triple = readonly [number, number, number];

const linear = (channel: number): number => (channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4);
const parse = (hex: string): Triple => [1, 3, 5].map((at) => linear(parseInt(hex.slice(at, at + 2), 16) / 255)) as unknown as Triple;
const times = (matrix: readonly Triple[], [r, g, b]: Triple): Triple => matrix.map(([x, y, z]) => Math.min(1, Math.max(0, x * r + y * g + z * b))) as unknown as Triple;

// Machado, Oliveira and Fernandes 2009, severity 1.0, for linear RGB.
const eyes: Readonly<Record<string, readonly Triple[]>> = {
  'all colours': [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
  'no red (protanopia)': [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
  'no green (deuteranopia)': [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
  'no blue (tritanopia)': [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

/** CIE L*a*b*, D65. */
function lab(rgb: Triple): Triple {
  const xyz = times([[0.4124564, 0.3575761, 0.1804375], [0.2126729, 0.7151522, 0.072175], [0.0193339, 0.119192, 0.9503041]], rgb);
  const [x, y, z] = xyz.map((value, index) => Math.cbrt(value / ([0.95047, 1, 1.08883][index] as number))) as unknown as Triple;
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
}
const luminance = (hex: string): number => parse(hex).reduce((sum, channel, index) => sum + channel * ([0.2126, 0.7152, 0.0722][index] as number), 0);
const contrast = (one: string, other: string): number => {
  const [low = 0, high = 0] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return (high + 0.05) / (low + 0.05);
};

const schemes = colours(':root').split('@media').map((css) => (name: string): string => new RegExp(`--${name}: (#[0-9a-f]{6})`).exec(css)?.[1] ?? '');

describe.each([['light', schemes[0]!], ['dark', schemes[1]!]] as const)('%s', (_, colour) => {
  it.each(Object.entries(eyes))('the two lines differ for eyes that see %s', (_eyes, matrix) => {
    const [one, two] = ['one', 'two'].map((name) => lab(times(matrix, parse(colour(name))))) as [Triple, Triple];
    expect(Math.hypot(...one.map((value, index) => value - (two[index] as number)))).toBeGreaterThan(25);
  });

  it.each(['one', 'two', 'soft', 'ink'])('%s stands out from the page', (name) => {
    expect(contrast(colour(name), colour('page'))).toBeGreaterThan(name === 'one' || name === 'two' ? 3 : 4.5);
  });
});
