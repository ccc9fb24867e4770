// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {ERC721} from "@openzeppelin/contracts/token/ERC721/ERC721.sol";

/// Worthless collectibles: anybody may mint them.
contract TestCollectible is ERC721("Test Collectible", "TNFT") {
    function mint(address to, uint256 id) external {
        _mint(to, id);
    }
}
