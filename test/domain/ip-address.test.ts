/** Which addresses belong to hosts on the public internet, and which to one client. */

import { clientNetworkOf, isGloballyRoutable } from '../../src/domain/ip-address.ts';

describe('an address', () => {
  it.each([
    '8.8.8.8',
    '93.184.216.34',
    '100.63.255.255',
    '100.128.0.1',
    '172.15.0.1',
    '172.32.0.1',
    '2001:4860:4860::8888',
    '2606:2800:220:1:248:1893:25c8:1946',
    '::ffff:8.8.8.8',
    '::ffff:808:808',
  ])('%s is routable', (address) => {
    expect(isGloballyRoutable(address)).toBe(true);
  });

  it.each([
    ...['127.0.0.1', '127.255.255.254', '::1', '0:0:0:0:0:0:0:1'],
    ...['0.0.0.0', '0.1.2.3', '::', '255.255.255.255'],
    ...['10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', 'fc00::1', 'fd12:3456::1'],
    ...['169.254.169.254', 'fe80::1', 'febf::1', 'fec0::1'],
    ...['100.64.0.1', '100.127.255.255'],
    ...[
      '192.0.0.1',
      '192.0.2.1',
      '198.18.0.1',
      '198.19.255.255',
      '198.51.100.1',
      '203.0.113.1',
      '2001:db8::1',
    ],
    ...['224.0.0.1', '239.255.255.255', '240.0.0.1', 'ff02::1'],
    // An IPv4 address within an IPv6 one: mapped, translated, or at the end of a tunnel.
    ...['::ffff:127.0.0.1', '::ffff:10.0.0.1', '::ffff:a9fe:a9fe', '::ffff:0:127.0.0.1'],
    ...['::127.0.0.1', '::8.8.8.8', '64:ff9b::7f00:1', '64:ff9b::8.8.8.8', '64:ff9b:1::a00:1'],
    ...['2002:7f00:1::', '2002:808:808::1', '2001::1', '2001:0:4136:e378:8000:63bf:3fff:fdd2'],
    ...['100::1', '4000::1', '5f00::1', '3fff::1', 'fe80::1%eth0'],
    ...['example.org', '', '1.2.3', '8.8.8.8.8', '[::1]'],
  ])('%s is not', (address) => {
    expect(isGloballyRoutable(address)).toBe(false);
  });
});

describe('a client', () => {
  it.each([
    ['8.8.8.8', '8.8.8.8'],
    ['::ffff:8.8.8.8', '8.8.8.8'],
    ['::ffff:808:808', '8.8.8.8'],
    ['2001:db8:1:2::1', '2001:db8:1:2::/64'],
    ['2001:DB8:1:2:ffff:ffff:ffff:ffff', '2001:db8:1:2::/64'],
    ['2001:db8:1:3::1', '2001:db8:1:3::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
    ['not: an address', 'not: an address'],
    ['', ''],
  ])('of %j counts by %s', (address, network) => {
    expect(clientNetworkOf(address)).toBe(network);
  });
});
