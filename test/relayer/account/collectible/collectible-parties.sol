// SPDX-License-Identifier: MIT
pragma solidity ^0.8.0;

interface ICollectible {
    function safeTransferFrom(address from, address to, uint256 id) external;
    function transferFrom(address from, address to, uint256 id) external;
}

/// Reports the owner that the test sets, whatever its transfers logged.
contract LyingCollectible {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);

    mapping(uint256 => address) public owner;
    bool public reverts;
    bool public silent;

    function claim(address from, address to, uint256 id) external {
        emit Transfer(from, to, id);
    }

    function say(uint256 id, address who) external {
        owner[id] = who;
    }

    function refuse(bool whether) external {
        reverts = whether;
    }

    function ownerOf(uint256 id) external view returns (address) {
        require(!reverts, "no such token");
        return owner[id];
    }

    /// Moves nothing and fails not.
    function safeTransferFrom(address, address, uint256) external {}
}

/// A recipient that acts by its mode when a collectible arrives.
contract Recipient {
    uint8 public mode;
    address public accomplice;

    constructor(uint8 how, address whom) {
        mode = how;
        accomplice = whom;
    }

    function turn(uint8 how) external {
        mode = how;
    }

    function onERC721Received(address, address from, uint256 id, bytes calldata) external returns (bytes4) {
        if (mode == 1) revert("No thanks");
        if (mode == 2) {
            // Takes what it may not, and passes on what it got.
            try ICollectible(msg.sender).transferFrom(from, accomplice, id + 1) {} catch {}
            (bool done, ) = from.call(abi.encodeWithSignature("execute(bytes32,bytes)", bytes32(0), ""));
            done;
            ICollectible(msg.sender).safeTransferFrom(address(this), accomplice, id);
        }
        if (mode == 3) while (gasleft() > 5000) {}
        return 0x150b7a02;
    }
}
